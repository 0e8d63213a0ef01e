/** The command lines of the servers, tuned for a quick start and little memory. */
import { join } from 'node:path'
import { kubeconfigPath } from './identities.ts'

/** Metadata of every request, once it is answered (watches: also when they begin). */
export const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
`

/**
 * etcd's sockets are files in the working directory of both servers: no port that another control plane could take,
 * and no limit to the length of the path. etcd wants the form host:port there too.
 */
export const etcdSocket = 'etcd:1'
const client = `unix://${etcdSocket}`
const peer = 'unix://etcd:2'

export function etcdFlags(directory: string): string[] {
  return [
    `--data-dir=${join(directory, 'etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // A member alone elects itself after one election time-out: 1 s by default.
    '--heartbeat-interval=100',
    '--election-timeout=500',
    '--log-level=warn',
  ]
}

export function apiServerFlags(directory: string, port: number, auditLog: string | undefined): string[] {
  return [
    `--etcd-servers=${client}`,
    `--cert-dir=${join(directory, 'certs')}`,
    '--bind-address=127.0.0.1',
    // Without a default route there is no address to advertise; no reconciler, because a loopback address is refused
    // as the endpoint of the kubernetes service.
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--service-account-key-file=${join(directory, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(directory, 'sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${join(directory, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    // It refuses pods without a service account of theirs, and nothing makes those here.
    '--disable-admission-plugins=ServiceAccount',
    '--profiling=false',
    // Ends within 2 s of SIGTERM; else it waits a minute for its open watches.
    '--shutdown-send-retry-after=true',
    ...(auditLog === undefined
      ? []
      : [
          `--audit-policy-file=${join(directory, 'audit-policy.yaml')}`,
          `--audit-log-path=${auditLog}`,
          '--audit-log-maxsize=10000', // MB: one file, never rotated under a reader
        ]),
  ]
}

export function controllerManagerFlags(directory: string): string[] {
  return [
    `--kubeconfig=${kubeconfigPath(directory, 'controller-manager')}`,
    '--controllers=namespace-controller,garbage-collector-controller,validatingadmissionpolicy-status-controller',
    '--leader-elect=false',
    '--secure-port=0',
    '--concurrent-gc-syncs=5',
  ]
}
