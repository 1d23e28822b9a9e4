import type { AlterationKind, MovementKind } from '../../../src/kernel/enums.ts'

/** The key of the name of what a movement or a request is: the act of an operator, else the type. */
export function typeTerm(type: MovementKind, kind: AlterationKind | null) {
  return kind === null ? (`terms:type.${type}` as const) : (`terms:alterationKind.${kind}` as const)
}

/** The term of the part somebody has in a benefit: the kind of dependent, or that of the primary. */
export const roleTerm = <Type extends string, Relation extends string>(type: Type, relation: Relation | null) =>
  relation === null ? (`terms:beneficiaryType.${type}` as const) : (`terms:dependentType.${relation}` as const)
