import type { Resolution } from '../domain/enums.ts'
import type { Actor, Move } from './transition-types.ts'

/** The transition that `resolution` applies in staging. */
export function resolutionTransition(resolution: Resolution): { move: Move; actor: Actor } {
  const actor: Actor = { kind: 'resolution', id: null, origin: null }
  return resolution === 'approve'
    ? { actor, move: { status: 'completed', reason: null } }
    : { actor, move: { status: 'rejected', reason: 'Rejected by resolution=reject' } }
}
