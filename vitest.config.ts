import { defineConfig } from 'vitest/config'

/** Tests that need a real API server; all others run without one. */
const onCluster = ['test/cluster/**/*.test.ts', 'test/controlplane/controlplane.test.ts']

/**
 * Stories run on the simulated service as deployed (project `cluster`) and again on one that has only what the interface
 * states (project `documented`); where they end differently, test/cluster/story/differences.ts says so. Left out the
 * second time is what no service could make different, or what tells of both by itself:
 */
export const toldOnce = [
  'configuration', // the command line: no service is asked
  'replicas', // the lease of two operators
  'stopping', // how an operator ends
  'apiserver', // the operator and the API server
  'scale', // counts of calls and writes at rest, of kinds that are the same on both
  'crash', // names both profiles
  'together', // names both profiles
].map((name) => `test/cluster/story/${name}.test.ts`)

/** The rest of test/cluster (roles, definitions, policies, installing, the demo, the kube layer) meets no profile at all. */
const onBoth = ['test/cluster/story/*.test.ts']

const cluster = {
  globalSetup: 'test/cluster/setup.ts',
  setupFiles: 'test/cluster/ready.ts',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Both projects share these two: the servers are busy enough for two cores.
  maxWorkers: 2,
  // After the fast ones.
  sequence: { groupOrder: 1 },
}

export default defineConfig({
  test: {
    teardownTimeout: 60_000, // the shared control plane ends
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: onCluster,
          testTimeout: 20_000,
        },
      },
      { test: { ...cluster, name: 'cluster', include: onCluster, provide: { profile: 'extended' } } },
      {
        test: {
          ...cluster,
          name: 'documented',
          include: onBoth,
          exclude: toldOnce,
          provide: { profile: 'documented' },
        },
      },
    ],
  },
})
