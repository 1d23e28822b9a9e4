import type { AlterationKind, MovementKind } from '../../../src/kernel/enums.ts'

/** The key of the name of what a movement or a request is: the act of an operator, else the type. */
export function typeTerm(type: MovementKind, kind: AlterationKind | null) {
  return kind === null ? (`terms:type.${type}` as const) : (`terms:alterationKind.${kind}` as const)
}
