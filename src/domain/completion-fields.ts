/*
 * The fields that the operator may send with a transition, and to which movements they belong: nothing that is sent is ignored.
 */
import { isPending } from './enrollment-status.ts'
import type { EnrollmentStatus, RequestType } from './enums.ts'

/** The field names, and the keys under which a move has them. */
const keys = {
  'card-number': 'cardNumber',
  'start-date': 'startDate',
  'end-date': 'endDate',
  'pending-items': 'pendingItems',
} as const

export type CompletionField = keyof typeof keys

export type CompletionData = Readonly<Partial<Record<(typeof keys)[CompletionField], unknown>>>

export interface MovementKind {
  readonly enrollmentType: RequestType
  /** A plan or company change, not registration data alone. */
  readonly isTransfer: boolean
}

const starting: readonly CompletionField[] = ['card-number', 'start-date']

/** What completing a movement takes. */
export function completionFieldsOf({ enrollmentType, isTransfer }: MovementKind): readonly CompletionField[] {
  switch (enrollmentType) {
    case 'inclusion':
      return starting
    case 'exclusion':
      return ['end-date']
    case 'alteration':
      return isTransfer ? starting : []
    default:
      return enrollmentType satisfies never
  }
}

/** The completion fields that were sent. */
export function sentFields(data: CompletionData): CompletionField[] {
  return (Object.keys(keys) as CompletionField[]).filter((field) => data[keys[field]] != null)
}

/** The fields that were sent and do not belong to the status or, if it is known, to the movement. */
export function inapplicableFields(
  move: CompletionData & { readonly status: EnrollmentStatus },
  movement: MovementKind | null,
): CompletionField[] {
  const isApplicable = (field: CompletionField) =>
    field === 'pending-items'
      ? isPending(move.status)
      : move.status === 'completed' && (movement === null || completionFieldsOf(movement).includes(field))
  return sentFields(move).filter((field) => !isApplicable(field))
}
