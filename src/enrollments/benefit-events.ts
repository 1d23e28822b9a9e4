import type { DomainEvent } from '../webhooks/outbox.ts'

interface BenefitKey {
  readonly id: string
  readonly memberId: string
}

/** The event of a benefit that is active now. */
export function activated({ id, memberId }: BenefitKey): DomainEvent {
  return { type: 'benefit.activated', data: { 'benefit-id': id, 'member-id': memberId, status: 'active' } }
}

/** The event of a benefit that is no longer active. */
export function deactivated({ id, memberId }: BenefitKey): DomainEvent {
  return { type: 'benefit.deactivated', data: { 'benefit-id': id, 'member-id': memberId, status: 'inactive' } }
}
