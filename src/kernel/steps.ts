/* Steps of the workers that failed. */

/** Work that was accepted, each kind with the name of its target in the log. */
export const WORK_TARGETS = {
  inclusion: 'request-id',
  exclusion: 'request-id',
  alteration: 'request-id',
  'movement-draft': 'draft-id',
  'roster-sync': 'roster-sync-id',
  decision: 'job-id',
  acknowledgement: 'job-id',
  shipment: 'shipment-id',
  'carrier-file': 'file-id',
  reconciliation: 'reconciliation-id',
  'subject-request': 'subject-request-id',
} as const
export type WorkKind = keyof typeof WORK_TARGETS

/** What runs by the clock on one target, each kind with the name of its target in the log. */
export const PERIODIC_TARGETS = {
  'scheduled-movements': 'company-id',
  'plan-changes': 'company-id',
  'benefit-ends': 'company-id',
  'sandbox-outcomes': 'company-id',
  continuations: 'company-id',
  'deadline-events': 'company-id',
  'overdue-invoices': 'company-id',
  'ageing-out': 'company-id',
  'waiting-acceptances': 'shipment-id',
  delivery: 'shipment-id',
  'answer-folder': 'contract-id',
  'answer-file': 'contract-id',
  retention: 'row-id',
} as const
export type PeriodicKind = keyof typeof PERIODIC_TARGETS

/** Tasks of the whole service that run by the clock: they are never put aside. */
const TASK_KINDS = [
  'task-due-work',
  'task-acceptances',
  'task-audit-chain',
  'task-deliveries',
  'task-answers',
  'task-ageing-out',
  'task-cut-offs',
  'task-forecasts',
  'task-money-at-risk',
  'task-documents',
  'task-invitations',
  'task-movement-drafts',
  'task-idempotency-keys',
  'task-decision-jobs',
  'task-erasures',
  'task-subject-files',
  'task-retention',
  'task-sessions',
  'task-fan-out',
  'task-webhooks',
  'task-events',
  'task-mail',
  'task-digests',
  'task-old-mail',
] as const
export type TaskKind = (typeof TASK_KINDS)[number]

export const STEP_KINDS = [
  ...(Object.keys(WORK_TARGETS) as WorkKind[]),
  ...(Object.keys(PERIODIC_TARGETS) as PeriodicKind[]),
  ...TASK_KINDS,
] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** Why a step failed. */
export const STEP_REASONS = [
  'interrupted',
  'time-limit',
  'database',
  'storage',
  'carrier-server',
  'waits-for-earlier-request',
  'unexpected-error',
] as const
export type StepReason = (typeof STEP_REASONS)[number]

export const STEP_STATUSES = ['retrying', 'put-aside'] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

/** So many attempts, then a step is put aside: some minutes. */
export const MAX_ATTEMPTS = 12

/** What can be given up: not what was accepted for a caller who waits for its result. */
export const CAN_BE_DELETED: readonly StepKind[] = [
  'carrier-file',
  'reconciliation',
  'subject-request',
  ...(Object.keys(PERIODIC_TARGETS) as PeriodicKind[]),
  ...TASK_KINDS,
]
