/* What a carrier is asked to pay back: closed sets, and what may follow on what. */

/** As stored: `credited` follows from the lines. */
export const STORED_CLAIM_STATUSES = ['draft', 'sent', 'accepted', 'refused'] as const
export type StoredClaimStatus = (typeof STORED_CLAIM_STATUSES)[number]

export const CLAIM_STATUSES = [...STORED_CLAIM_STATUSES, 'credited'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

/** What an operator may make of a claim; nothing of one that is credited. */
export const CLAIM_STEPS = {
  draft: ['sent'],
  sent: ['accepted', 'refused'],
  accepted: ['refused'],
  refused: [],
  credited: [],
} as const satisfies Record<ClaimStatus, readonly StoredClaimStatus[]>

/** Discrepancies of one claim. */
export const MAX_CLAIM_LINES = 1000
