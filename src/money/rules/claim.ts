/* What a carrier is asked to pay back, and what may follow on what. */
import type { StoredClaimStatus, ClaimStatus } from '#kernel/broker-enums.ts'

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
