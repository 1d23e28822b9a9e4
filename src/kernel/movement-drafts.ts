// The closed sets of movement drafts: proposed movements that somebody else has to confirm.

/** What made it: a list of entries as those of a batch, or a list of who should be covered. */
export const DRAFT_SOURCES = ['batch', 'roster-sync'] as const
export type DraftSource = (typeof DRAFT_SOURCES)[number]

/** `requesting`: confirmed items become movements. */
export const DRAFT_STATUSES = ['open', 'requesting', 'closed'] as const
export type DraftStatus = (typeof DRAFT_STATUSES)[number]

/** `done`: at least one item was requested or refused, or none could be confirmed; `superseded`: a newer list of the same people was compared. */
export const DRAFT_CLOSED_BECAUSE = ['done', 'discarded', 'superseded', 'expired'] as const
export type DraftClosedBecause = (typeof DRAFT_CLOSED_BECAUSE)[number]

/** Why confirmed items were not requested, as the error says it that whoever confirmed them would get. */
export const DRAFT_BROKEN_REASONS = ['client-revoked', 'role-not-allowed', 'not-entitled'] as const
export type DraftBrokenReason = (typeof DRAFT_BROKEN_REASONS)[number]

/** The movements that drafts propose. */
export const DRAFT_MOVEMENTS = ['inclusion', 'exclusion', 'alteration'] as const
export type DraftMovement = (typeof DRAFT_MOVEMENTS)[number]

/** The movements of the drafts of source `batch`. */
export const BATCH_DRAFT_MOVEMENTS = ['exclusion', 'alteration'] as const

/**
 * What an item proposes. `exclusion`: of a list, by absence; `leaver`: by the last day that a line states; `company-data`: data that no carrier
 * has, which becomes no movement; `held`: differs, and nothing is done; `refused`: a line that cannot be used.
 */
export const DRAFT_CLASSES = [
  'inclusion',
  'exclusion',
  'leaver',
  'plan-change',
  'correction',
  'tax-id-correction',
  'company-data',
  'held',
  'refused',
] as const
export type DraftClass = (typeof DRAFT_CLASSES)[number]

export const DRAFT_ITEM_STATUSES = [
  'proposed',
  'approval',
  'confirmed',
  'requested',
  'refused',
  'discarded',
  'superseded',
  'expired',
  'held',
] as const
export type DraftItemStatus = (typeof DRAFT_ITEM_STATUSES)[number]

/** Who else has to confirm an item. */
export const DRAFT_APPROVALS = ['broker', 'second-operator'] as const
export type DraftApproval = (typeof DRAFT_APPROVALS)[number]
