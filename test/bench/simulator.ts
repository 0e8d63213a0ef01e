/**
 * `npm run bench:simulator`: how fast and how large the simulator is, in processes of its own as people start it. Prints
 * a table of what is measured and of limits.ts; exit code 1 when a limit is broken. It wants a machine that is
 * not busy with anything else.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../setup/bundle.ts'
import { limits } from './limits.ts'
import { startProgram, type Program } from './program.ts'

interface Row {
  what: string
  measured: number
  limit: number | undefined
  unit: string
}

const lists = [
  '/user-resource/vm/list',
  '/storage/disks',
  '/network/networks',
  '/network/ip_addresses',
  '/network/load_balancers',
  '/storage/bucket/list',
]

const rows: Row[] = []
const folder = await mkdtemp(join(tmpdir(), 'bench-simulator-'))
try {
  const program = await bundle(undefined, join(folder, 'cloud-operator.mjs'))
  await measureSize(program)
  await measureFlight(program)
} finally {
  await rm(folder, { recursive: true, force: true })
}
const broken = rows.filter(({ measured, limit }) => limit !== undefined && measured > limit)
for (const { what, measured, limit, unit } of rows) {
  const verdict = limit === undefined ? '' : measured > limit ? 'BROKEN' : 'kept'
  const most = limit === undefined ? '' : `${limit} ${unit}`
  console.log(
    `${what.padEnd(52)} ${`${Math.round(measured)} ${unit}`.padStart(10)} ${most.padStart(10)} ${verdict}`,
  )
}
process.exitCode = broken.length > 0 ? 1 : 0

async function measureSize(path: string): Promise<void> {
  const program = await startProgram(path, [])
  try {
    const started = performance.now()
    await all(10_000, (n) => program.form('POST', '/user-resource/vm', vm(n)))
    report('10,000 VMs with disk and address made one by one', performance.now() - started, undefined, 'ms')
    const times = []
    for (let run = 0; run < 10; run += 1) times.push(await program.timeMs('/user-resource/vm/list'))
    report('list of 10,000 VMs, best of ten', Math.min(...times), limits.listOf10000VmsMs, 'ms')
    await makeTheRest(program)
    report('resident memory with 50,000 objects', program.rssMiB(), limits.rssOf50000ObjectsMiB, 'MiB')
    let objects = 0
    for (const path of lists) {
      report(`GET ${path}`, await program.timeMs(path), undefined, 'ms')
      objects += ((await program.list(path)) as unknown[]).length
    }
    if (objects < 50_000) throw new Error(`only ${objects} objects were made`)
    report(
      'resident memory after all of them were listed',
      program.rssMiB(),
      limits.rssOf50000ObjectsMiB,
      'MiB',
    )
  } finally {
    await program.stop()
  }
}

/** 20,000 more: disks, networks, buckets and load balancers. */
async function makeTheRest(program: Program): Promise<void> {
  const billing = { billing_account_id: 2001 }
  await all(16_000, (n) =>
    program.form('POST', '/storage/disks', { ...billing, size_gb: 10, display_name: `d-${n}` }),
  )
  await all(1000, (n) => program.form('PUT', '/storage/bucket', { ...billing, name: `bucket-${n}` }))
  await all(1500, (n) => program.form('POST', `/network/network?name=n-${n}`, {}))
  const [network] = JSON.parse(await program.text('/network/networks')) as { uuid: string }[]
  const balancer = { ...billing, network_uuid: network?.uuid, reserve_public_ip: false, targets: [] }
  const rules = [{ source_port: 80, target_port: 8080 }]
  await all(1500, (n) =>
    program.json('/network/load_balancers', { ...balancer, rules, display_name: `lb-${n}` }),
  )
}

async function measureFlight(path: string): Promise<void> {
  const program = await startProgram(path, ['--timing', 'real'])
  try {
    const creates = Promise.all(
      Array.from({ length: 200 }, (_, n) => timeOf(program.form('POST', '/user-resource/vm', vm(n)))),
    )
    while (((await program.list('/user-resource/vm/list')) as unknown[]).length < 200);
    report(
      'a list while 200 creates are in flight',
      await program.timeMs('/user-resource/vm/list'),
      limits.listMeanwhileMs,
      'ms',
    )
    const times = await creates
    report('the fastest of 200 creates in flight', Math.min(...times), undefined, 'ms')
    report('the slowest of 200 creates in flight', Math.max(...times), limits.slowestOf200CreatesMs, 'ms')
  } finally {
    await program.stop()
  }
}

function vm(n: number): Record<string, string | number> {
  return {
    ...{ name: `vm-${n}`, os_name: 'ubuntu', os_version: '22.04', disks: 20, vcpu: 2, ram: 2048 },
    ...{ username: 'someone', password: 'Secret123', billing_account_id: 2001 },
  }
}

/** Runs it for 0, 1, … below the count, a few at a time. */
async function all(count: number, run: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

async function timeOf(work: Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work
  return performance.now() - started
}

function report(what: string, measured: number, limit: number | undefined, unit: string): void {
  rows.push({ what, measured, limit, unit })
}
