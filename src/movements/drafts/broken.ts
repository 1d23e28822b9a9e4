import { DRAFT_BROKEN_REASONS, type DraftBrokenReason } from '#kernel/movement-drafts.ts'
import { ApiError } from '#platform/core/errors.ts'

/** The reason for an error of a client that may not request any more; null: it is another error. */
export function brokenReason(error: unknown): DraftBrokenReason | null {
  if (!(error instanceof ApiError)) return null
  const { code } = error
  return DRAFT_BROKEN_REASONS.find((reason) => reason === code) ?? null
}
