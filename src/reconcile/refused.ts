/** Why a step ends before its call: thrown by `act`, and nothing has been sent. */

/** The spec names something the service does not have: shown as InvalidSpec. The message begins with the field and ends with the remedy. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused'
}

/** Something the step needs is not there yet: shown as WaitingForDependency. */
export class StepWaits extends Error {
  override readonly name = 'StepWaits'
}
