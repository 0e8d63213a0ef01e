/** The manifests of deploy/examples/web-server, filled in for the simulator. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string }
  readonly spec?: Readonly<Record<string, unknown>>
  readonly stringData?: Readonly<Record<string, string>>
}

export interface Account {
  readonly endpoint: string
  readonly apiKey: string
  readonly billingAccount: number
}

/** A change made by hand is seen within this time; people wait for it here. */
const syncIntervalSeconds = 5
/** The shortest there is: the simulator shows every effect at once. */
const settleSeconds = 30

/** In the order of the folder's Kustomization. */
export async function readExamples(folder: string): Promise<Manifest[]> {
  const { resources } = parse(await readFile(join(folder, 'Kustomization'), 'utf8')) as {
    resources: string[]
  }
  const texts = await Promise.all(resources.map((file) => readFile(join(folder, file), 'utf8')))
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest))
}

/** The examples with what is marked CHANGE in them changed, and with times that suit a demo. */
export function fillIn(manifests: readonly Manifest[], account: Account): Manifest[] {
  return manifests.map((manifest) => {
    switch (manifest.kind) {
      case 'Secret':
        return { ...manifest, stringData: { apikey: account.apiKey } }
      case 'CloudAccount': {
        const { endpoint, billingAccount } = account
        const spec = { ...manifest.spec, endpoint, billingAccount, syncIntervalSeconds, settleSeconds }
        return { ...manifest, spec }
      }
      default:
        return manifest
    }
  })
}

/** What fillIn changes, for people. */
export function changesOf({ endpoint, billingAccount }: Account): string[] {
  return [
    `Secret/cloud-token    apikey: the simulator's key`,
    `CloudAccount/default  endpoint: ${endpoint}, billingAccount: ${billingAccount}`,
    `                      added: syncIntervalSeconds: ${syncIntervalSeconds}, settleSeconds: ${settleSeconds} (made for the demo, not for a real service)`,
  ]
}

/** The manifest of this kind and name under another name. Throws when there is none. */
export function copyOf(manifests: readonly Manifest[], kind: string, name: string, copy: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (found === undefined) throw new Error(`the examples have no ${kind} ${name}`)
  return { ...found, metadata: { ...found.metadata, name: copy } }
}

/** As text for `kubectl apply --filename=-`. In JSON: kubectl's YAML takes On and Off for booleans. */
export function toText(manifests: readonly Manifest[]): string {
  return manifests.map((each) => JSON.stringify(each)).join('\n---\n')
}
