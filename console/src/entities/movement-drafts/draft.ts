import type { Item, Result } from '@vigencia/client'
import { DRAFT_ITEM_STATUSES } from '../../../../src/kernel/movement-drafts.ts'

export type MovementDraft = Result<'readMovementDraft'>
export type DraftItem = Item<'listMovementDraftItems'>

const waits = (status: DraftItem['status']) => status === 'proposed' || status === 'approval'

/** Whether somebody has to decide about an item. */
export const isWaiting = ({ status }: DraftItem): boolean => waits(status)

/** How many items somebody has to decide about. */
export const waitingOf = ({ counts }: MovementDraft): number =>
  counts.reduce((sum, { proposed, approval }) => sum + proposed + approval, 0)

/** How many people it is about. */
export const sizeOf = ({ counts }: MovementDraft): number =>
  counts.reduce((sum, one) => sum + DRAFT_ITEM_STATUSES.reduce((total, status) => total + one[status], 0), 0)
