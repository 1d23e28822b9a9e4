import { DRAFT_CLASSES, DRAFT_ITEM_STATUSES, type DraftClass } from '../../../../src/kernel/movement-drafts.ts'
import type { DraftItem, MovementDraft } from '../movement-drafts/draft.ts'

type Counts = MovementDraft['counts'][number]

const sizeOf = (counts: Counts) => DRAFT_ITEM_STATUSES.reduce((sum, status) => sum + counts[status], 0)

/** The classes that a draft has items of, each with their number. */
export const tabsOf = ({ counts }: MovementDraft): readonly { readonly name: DraftClass; readonly size: number }[] =>
  DRAFT_CLASSES.flatMap((name) => {
    const one = counts.find((other) => other.class === name)
    const size = one === undefined ? 0 : sizeOf(one)
    return size === 0 ? [] : [{ name, size }]
  })

/** How many items of a class somebody has to decide about. @param mayApprove whether also those that wait for an approval. */
export function openOf({ counts }: MovementDraft, name: DraftClass, mayApprove: boolean): number {
  const one = counts.find((other) => other.class === name)
  return one === undefined ? 0 : one.proposed + (mayApprove ? one.approval : 0)
}

/** Whether whoever is signed in may confirm it. */
export const isConfirmable = ({ status }: DraftItem, mayApprove: boolean): boolean =>
  status === 'proposed' || (mayApprove && status === 'approval')

/** Whether it can be selected together with others. */
export const isInBulk = (item: DraftItem): boolean => !item['by-number-only'] && item.class !== 'tax-id-correction'

/** As people are named in lists. */
export const nameOf = (item: DraftItem): string => item.name ?? item['tax-id'] ?? String(item.number)
