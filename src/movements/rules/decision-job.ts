/* Jobs of decisions: what they go through, and why one is given up. */

export const DECISION_JOB_STATUSES = ['waiting', 'running', 'done', 'broken', 'undone'] as const
export type DecisionJobStatus = (typeof DECISION_JOB_STATUSES)[number]

/** What ends a job before its last line: the operator that sent it may not decide any more. */
export const BROKEN_REASONS = ['operator-removed', 'role-not-allowed'] as const
export type BrokenReason = (typeof BROKEN_REASONS)[number]
