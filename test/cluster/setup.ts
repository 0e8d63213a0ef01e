/** Starts the one control plane that all cluster tests of a run share; each test uses namespaces of its own. */
import type { TestProject } from 'vitest/node'
import { bundle } from '../setup/bundle.ts'
import { startControlPlane } from '../controlplane/start.ts'

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
  }
}

const say = (line: string) => process.stderr.write(`${line}\n`)

/**
 * A failure is not thrown: vitest would then run no test at all, of the fast project neither.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  try {
    const plane = await startControlPlane({ say, auditLog: true })
    const { adminKubeconfig, operatorKubeconfig, tenantKubeconfig, kubectl, directory, auditLog = '' } = plane
    project.provide('controlPlane', {
      adminKubeconfig,
      operatorKubeconfig,
      tenantKubeconfig,
      kubectl,
      directory,
      auditLog,
    })
    project.provide('bundle', await bundle())
    project.provide('controlPlaneError', '')
    return () => plane.stop()
  } catch (error) {
    project.provide('controlPlaneError', error instanceof Error ? error.message : String(error))
    return undefined
  }
}
