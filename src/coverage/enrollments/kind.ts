import { type MovementRules, movementRules } from '#kernel/movement-rules.ts'
import { MOVEMENT_KINDS, type MovementKind } from '#kernel/enums.ts'

/* SQL that depends on the kind of a movement. A kind that is missing here does not compile. */

/** SQL: the movement is of a kind with this rule. Of one kind it matches the predicates of the partial indexes. @param kind SQL of the kind. */
export function hasRule(kind: string, rule: keyof MovementRules): string {
  const kinds = MOVEMENT_KINDS.filter((kind) => movementRules[kind][rule])
  return `${kind} in (${kinds.map((kind) => `'${kind}'`).join(', ')})`
}

/** SQL: a value for each kind. @param kind SQL of the kind. */
export function byKind(kind: string, values: Readonly<Record<MovementKind, string>>): string {
  return `case ${MOVEMENT_KINDS.map((movementKind) => `when ${kind} = '${movementKind}' then ${values[movementKind]}`).join(' ')} end`
}
