/** Billing accounts of the rig's person: the one that everything is charged to at first, and another one. */
export const BILLING_ACCOUNT = 7_001
export const OTHER_BILLING_ACCOUNT = 7_002
