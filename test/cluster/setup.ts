/**
 * Starts the one control plane that all cluster tests of a run share, of both projects; each test uses namespaces of its
 * own.
 */
import type { TestProject } from 'vitest/node'
import { bundle } from '../setup/bundle.ts'
import { startControlPlane } from '../controlplane/start.ts'
import type { Profile } from '../../src/simulator/state/model.ts'

/** What a test gets with `inject('controlPlane')`. */
export interface SharedControlPlane {
  adminKubeconfig: string
  operatorKubeconfig: string
  tenantKubeconfig: string
  kubectl: string
  directory: string
  /** Path of the audit log: one JSON line for each request. */
  auditLog: string
}

declare module 'vitest' {
  interface ProvidedContext {
    controlPlane: SharedControlPlane
    /** Why there is none; empty when there is one. ready.ts fails every test file with it. */
    controlPlaneError: string
    /** Path of the operator's bundle, made for this run. */
    bundle: string
    /** What the simulated service of a story is like unless the story says so itself; set by the project. */
    profile: Profile
  }
}

const say = (line: string) => process.stderr.write(`${line}\n`)

/**
 * A failure is not thrown: vitest would then run no test at all, of the fast project neither.
 */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // The project before this one has started it, and ends it after this one.
  if ('controlPlaneError' in vitest.getProvidedContext()) return undefined
  try {
    const plane = await startControlPlane({ say, auditLog: true })
    const { adminKubeconfig, operatorKubeconfig, tenantKubeconfig, kubectl, directory, auditLog = '' } = plane
    vitest.provide('controlPlane', {
      adminKubeconfig,
      operatorKubeconfig,
      tenantKubeconfig,
      kubectl,
      directory,
      auditLog,
    })
    vitest.provide('bundle', await bundle())
    vitest.provide('controlPlaneError', '')
    return () => plane.stop()
  } catch (error) {
    vitest.provide('controlPlaneError', error instanceof Error ? error.message : String(error))
    return undefined
  }
}
