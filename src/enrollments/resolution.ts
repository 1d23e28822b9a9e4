import type { Actor, Move } from './transition-types.ts'

/** What `resolution=approve|reject` stands for: the operator's decision, in staging. */
export function resolutionTransition(resolution: 'approve' | 'reject'): { move: Move; actor: Actor } {
  const actor: Actor = { kind: 'resolution', id: null, origin: null }
  return resolution === 'approve'
    ? { actor, move: { status: 'completed', reason: null } }
    : { actor, move: { status: 'rejected', reason: 'Rejected by resolution=reject' } }
}
