import type { Target } from '../../../../src/registry/rules/layout-fields.ts'
import { knownWordsOf, type ReadKind } from './file-words.ts'
import { fieldOfTarget, guessFormat } from './guess-format.ts'
import type { LayoutColumn } from './layout.ts'

const maxSamples = 200

/** What each line of a file has. */
export const mainOf = {
  acknowledgement: 'acknowledgement.outcome',
  roster: null,
  invoice: 'invoice.amount',
  coparticipation: 'coparticipation.amount',
} as const satisfies Record<ReadKind, Target | null>

/** How a column that is read as a target is most likely written. @param cells some of its cells. */
export function columnOf(kind: ReadKind, target: Target, cells: readonly string[]): LayoutColumn {
  const format = guessFormat(target, cells.slice(0, maxSamples))
  return {
    target,
    ...(format !== undefined && { format }),
    ...(fieldOfTarget(target).type === 'code' && { map: Object.fromEntries(knownWordsOf(target)) }),
    ...(target === mainOf[kind] && { required: true }),
  }
}
