/* What may be a mistake in a list as a whole. */
import type { RosterDoubt, RosterState } from '#kernel/roster-syncs.ts'
import type { RosterTally } from './roster.ts'

export const emptyTally: RosterTally = {
  unchanged: 0,
  coveredPrimaries: 0,
  listedPrimaries: 0,
  coveredDependents: 0,
  listedDependents: 0,
  known: 0,
  conflicts: 0,
  covered: {},
}

export function addTally(one: RosterTally, other: RosterTally): RosterTally {
  const covered: Record<string, number> = { ...one.covered }
  for (const [id, count] of Object.entries(other.covered)) covered[id] = (covered[id] ?? 0) + count
  return {
    unchanged: one.unchanged + other.unchanged,
    coveredPrimaries: one.coveredPrimaries + other.coveredPrimaries,
    listedPrimaries: one.listedPrimaries + other.listedPrimaries,
    coveredDependents: one.coveredDependents + other.coveredDependents,
    listedDependents: one.listedDependents + other.listedDependents,
    known: one.known + other.known,
    conflicts: one.conflicts + other.conflicts,
    covered,
  }
}

/** What is known of a list beside its people. */
export interface RosterFile {
  readonly states: readonly RosterState[]
  readonly lines: number
  readonly refusedLines: number
  readonly suspiciousLines: number
  readonly isComplete: boolean
  readonly hasMovementSheets: boolean
  /** As the sender counted; null: not counted. */
  readonly peopleCount: number | null
  /** It is an older list of the same scope than the last one, or shows an earlier day. */
  readonly isFormer: boolean
  /** From the company's policy. */
  readonly minPresencePercent: number
}

export interface FoundDoubt {
  readonly doubt: RosterDoubt
  readonly found: number
  /** Beyond it, or below it, it is a doubt. */
  readonly limit: number
}

/** One line or person of a hundred may be wrong. */
const MAX_PERCENT = 1
/** So many people may have another name or birth date in a list of any size: they are held or corrected one by one. */
const MAX_CONFLICTS = 2

/** The doubts of a list, in their order. */
export function doubtsOf(file: RosterFile, tally: RosterTally): FoundDoubt[] {
  const { states, lines, refusedLines, suspiciousLines, peopleCount, minPresencePercent } = file
  const { coveredPrimaries, listedPrimaries, coveredDependents, listedDependents, known, conflicts } = tally
  const found: FoundDoubt[] = []
  const note = (isDoubt: boolean, doubt: RosterDoubt, count: number, limit: number) => {
    if (isDoubt) found.push({ doubt, found: count, limit })
  }
  const isPercent = (count: number, of: number) => count * 100 > of * MAX_PERCENT
  const presence = coveredPrimaries === 0 ? 100 : Math.floor((listedPrimaries * 100) / coveredPrimaries)
  note(
    listedPrimaries * 100 < coveredPrimaries * minPresencePercent && states.includes('people'),
    'too-few-people',
    presence,
    minPresencePercent,
  )
  note(states.includes('dependents') && listedDependents === 0 && coveredDependents > 0, 'no-dependents', 0, 1)
  const ofLines = Math.floor((lines * MAX_PERCENT) / 100)
  note(isPercent(refusedLines, lines), 'many-refused-lines', refusedLines, ofLines)
  const maxConflicts = Math.max(MAX_CONFLICTS, Math.floor((known * MAX_PERCENT) / 100))
  note(conflicts > maxConflicts, 'many-identity-conflicts', conflicts, maxConflicts)
  note(isPercent(suspiciousLines, lines), 'suspicious-text', suspiciousLines, ofLines)
  note(peopleCount !== null && peopleCount !== lines, 'count-differs', lines, peopleCount ?? 0)
  note(!file.isComplete, 'incomplete-file', 1, 0)
  note(file.isFormer, 'former-list', 1, 0)
  note(file.hasMovementSheets, 'movement-sheets', 1, 0)
  return found
}
