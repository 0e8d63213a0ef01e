/** Who may talk to the test API server: its token file, its service account keys, and the kubeconfigs. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'

/** The operator's service account, as the shipped manifests name it. */
export const operatorUser = 'system:serviceaccount:cloud-operator-system:cloud-operator'

interface Identity {
  user: string
  groups: readonly string[]
}

const identities = {
  admin: { user: 'admin', groups: ['system:masters'] },
  // A user of its own, so that the audit log tells its calls from the admin's; it deletes whatever a namespace holds.
  'controller-manager': { user: 'system:kube-controller-manager', groups: ['system:masters'] },
  operator: {
    user: operatorUser,
    groups: [
      'system:serviceaccounts',
      'system:serviceaccounts:cloud-operator-system',
      'system:authenticated',
    ],
  },
  tenant: { user: 'tenant', groups: [] },
} satisfies Record<string, Identity>

export type IdentityName = keyof typeof identities
export type Tokens = Record<IdentityName, string>

/** Writes tokens.csv with a fresh token for each identity. */
export async function writeTokens(directory: string): Promise<Tokens> {
  const token = () => randomBytes(24).toString('hex')
  const tokens: Tokens = { admin: token(), 'controller-manager': token(), operator: token(), tenant: token() }
  const lines = names().map((name) => {
    const { user, groups } = identities[name]
    return `${tokens[name]},${user},${name},"${groups.join(',')}"\n`
  })
  await writeFile(join(directory, 'tokens.csv'), lines.join(''), { mode: 0o600 })
  return tokens
}

/** Writes sa.key and sa.pub, with which the API server signs service account tokens and checks them. */
export async function writeServiceAccountKeys(directory: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeFile(join(directory, 'sa.key'), privateKey.export({ type: 'sec1', format: 'pem' }), {
    mode: 0o600,
  })
  await writeFile(join(directory, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
}

/** Writes `<name>.kubeconfig` for each identity; `ca` is PEM. */
export async function writeKubeconfigs(
  directory: string,
  url: string,
  ca: string,
  tokens: Tokens,
): Promise<void> {
  for (const name of names()) {
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'test',
          cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
        },
      ],
      users: [{ name, user: { token: tokens[name] } }],
      contexts: [{ name, context: { cluster: 'test', user: name, namespace: 'default' } }],
      'current-context': name,
    }
    await writeFile(kubeconfigPath(directory, name), stringify(config), { mode: 0o600 })
  }
}

export function kubeconfigPath(directory: string, name: IdentityName): string {
  return join(directory, `${name}.kubeconfig`)
}

function names(): IdentityName[] {
  return Object.keys(identities) as IdentityName[]
}
