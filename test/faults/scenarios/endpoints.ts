/** Stories of the changes that no other story makes: whom things are charged to, names of disks, tokens, the profile. */
import { OTHER_BILLING_ACCOUNT } from '../billing.ts'
import type { Scenario } from '../steps.ts'
import { apply, bucket, disk, edit, loadBalancer, network, oneByOne, ref } from './words.ts'

const net = network('net')
const data = disk('data', { sizeGiB: 10 })
const assets = bucket('assets', { bucketName: 'work-assets' })
const entry = loadBalancer('entry', {
  networkRef: ref(net),
  rules: [{ sourcePort: 80, targetPort: 8_080 }],
  targets: [],
})
const token = { kind: 'CloudAPIToken', name: 'ci', spec: { secretName: 'ci-token' } }
const account = { kind: 'CloudAccount', name: 'default' }
const charged = { billingAccount: OTHER_BILLING_ACCOUNT }

export const endpointScenarios: readonly Scenario[] = [
  { name: 'charged', timeline: oneByOne(apply(assets, data), edit(assets, charged), edit(data, charged)) },
  {
    name: 'disk-rename',
    profiles: ['extended'],
    timeline: oneByOne(apply(data), edit(data, { name: 'renamed' })),
  },
  { name: 'lb-charged', profiles: ['extended'], timeline: oneByOne(apply(net, entry), edit(entry, charged)) },
  {
    name: 'token-edit',
    timeline: oneByOne(apply(token), edit(token, { description: 'of the build server' })),
  },
  {
    name: 'profile',
    timeline: oneByOne(edit(account, { profile: { firstName: 'Ada', phoneNumber: '555' } })),
  },
]
