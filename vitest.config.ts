import { defineConfig } from 'vitest/config'

/** Tests that need a real API server; all others run without one. */
const onCluster = ['test/cluster/**/*.test.ts', 'test/controlplane/controlplane.test.ts']

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
      {
        test: {
          name: 'cluster',
          include: onCluster,
          globalSetup: 'test/cluster/setup.ts',
          setupFiles: 'test/cluster/ready.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          // After the fast ones: the servers are busy enough for two cores.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
