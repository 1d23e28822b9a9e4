import { DRAFT_CLASSES, DRAFT_ITEM_STATUSES } from '../../../../src/kernel/movement-drafts.ts'
import { ROSTER_EXPLANATIONS } from '../../../../src/kernel/roster-syncs.ts'
import { oneOf, searchOf, text } from '../../lists/search.ts'

/** What of the draft of a list is shown. */
export const draftTabOf = searchOf({
  class: oneOf(DRAFT_CLASSES),
  'item-status': oneOf(DRAFT_ITEM_STATUSES),
  explanation: oneOf(ROSTER_EXPLANATIONS),
  q: text,
})
