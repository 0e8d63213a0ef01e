/** Which listed load balancer may be the result of a create whose answer was lost. Pure. */
import type { Operation } from '../../api/shared.ts'
import { planNew, type WantedLoadBalancer } from './plan.ts'
import { standsForLost } from '../../reconcile/look.ts'
import type { SeenLoadBalancer } from './seen.ts'
import { rulesText, sentDetails } from './steps.ts'

/** Whether a row may be the result of a create: equal in every field that was sent and is shown. */
export function mayBeMade(
  want: WantedLoadBalancer,
  row: SeenLoadBalancer,
  operation: Operation | undefined,
): boolean {
  // What it was made with is lost: rules, targets and the network of that name may be others by now.
  if (standsForLost(operation)) return true
  const sent = operation?.details ?? wishedDetails(want)
  const targets = sent['targets']?.split(' ')
  return (
    agrees(sent['network'], row.networkID) &&
    agrees(sent['billingAccount'], row.billingAccount?.toString()) &&
    agrees(sent['rules'], row.rules && rulesText(row.rules)) &&
    // A target that has been deleted since is none any more.
    (targets === undefined || (row.targets ?? []).every(({ uuid }) => targets.includes(uuid)))
  )
}

function wishedDetails(want: WantedLoadBalancer): Readonly<Record<string, string>> {
  const [step] = planNew(want).steps
  return step?.do === 'create' ? sentDetails(step) : {}
}

function agrees(sent: string | undefined, shown: string | undefined): boolean {
  return sent === undefined || shown === undefined || sent === shown
}
