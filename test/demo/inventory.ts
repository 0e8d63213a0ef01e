/** What the cloud holds, before and after. */
import { isDeepStrictEqual } from 'node:util'
import type { Inventory, InventoryRow } from '../../src/simulator/inventory.ts'

const nouns: Readonly<Record<keyof Inventory, string>> = {
  vms: 'VMs',
  disks: 'disks',
  buckets: 'buckets',
  networks: 'networks',
  floatingIps: 'floating IPs',
  loadBalancers: 'load balancers',
  tokens: 'tokens',
  keys: 'keys',
}

/** `0 VMs, 2 networks, …` */
export function countsOf(inventory: Inventory): string {
  return families(inventory)
    .map(([family, rows]) => `${rows.length} ${nouns[family]}`)
    .join(', ')
}

/** One line for each thing that is not as it was; none when the two are equal in every field. */
export function differences(before: Inventory, after: Inventory): string[] {
  return families(after).flatMap(([family, rows]) => {
    const added = rows.filter((row) => !contains(before[family], row))
    const missing = before[family].filter((row) => !contains(rows, row))
    return [
      ...missing.map((row) => `was and is not: ${nouns[family]} ${JSON.stringify(row)}`),
      ...added.map((row) => `is and was not: ${nouns[family]} ${JSON.stringify(row)}`),
    ]
  })
}

function contains(rows: readonly InventoryRow[], wanted: InventoryRow): boolean {
  return rows.some((row) => isDeepStrictEqual(row, wanted))
}

function families(inventory: Inventory): [keyof Inventory, InventoryRow[]][] {
  return Object.entries(inventory) as [keyof Inventory, InventoryRow[]][]
}
