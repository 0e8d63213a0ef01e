/** What a CloudVM can be made from besides an image. */
import { z } from 'zod'
import { ruled } from './schema.ts'
import { reference } from './shared.ts'

/** Of a spec, in CEL. */
export const CLONES = '(has(self.source) && has(self.source.vmRef))'

/** What the service takes from the original. */
export const NOT_OF_A_CLONE = [
  'networkRef',
  'pool',
  'username',
  'publicKey',
  'cloudInit',
  'description',
  'publicIP',
] as const

export const vmSource = ruled(
  z.object({
    snapshotRef: reference
      .exactOptional()
      .describe(
        "CloudSnapshot whose content the boot disk is made from, in the same namespace and the VM's location.",
      ),
    diskRef: reference
      .exactOptional()
      .describe(
        'CloudDisk to boot from, in the same namespace; it then belongs to this VM and grows by its own sizeGiB.',
      ),
    vmRef: reference
      .exactOptional()
      .describe(
        'CloudVM that is cloned, in the same namespace; it is left as it is. The clone has the network, the pool, the users and the description of the original, and is then given the sizes, backups and power state of this spec.',
      ),
  }),
  [
    {
      rule: '[has(self.snapshotRef), has(self.diskRef), has(self.vmRef)].filter(x, x).size() == 1',
      holds: ({ snapshotRef, diskRef, vmRef }) =>
        [snapshotRef, diskRef, vmRef].filter((each) => each !== undefined).length === 1,
      message: 'source: set exactly one of its fields',
    },
  ],
)
