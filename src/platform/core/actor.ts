import type { ActorKind } from '#kernel/enums.ts'

/** Where a request came from, for its audit rows. */
export interface Origin {
  readonly address: string
  readonly traceId: string
}

/** A client, where only its id counts: its reads. */
export interface Client {
  readonly clientId: string
}

/** A client of the partner API, or an operator. */
export interface ClientActor extends Client {
  readonly kind: 'partner' | 'operator'
  readonly origin: Origin
}

/** Who acts, with all that history, audit and events need. */
export type Actor =
  | ClientActor
  | {
      /** The day that came; the service itself; `resolution` of a request in staging; the carrier, whose answer an operator sent. */
      readonly kind: 'clock' | 'service' | 'resolution' | 'carrier'
      /** The origin of the request that made the service act. */
      readonly origin?: Origin
    }

/** The actor as the history of an enrollment has it. */
export function historyActor(actor: Actor): { readonly kind: ActorKind; readonly id: string | null } {
  return { kind: actor.kind, id: 'clientId' in actor ? actor.clientId : null }
}

/** The actor as the audit log has it: the client id, or the kind of one that is no client. */
export function auditActor(actor: Actor): string {
  return 'clientId' in actor ? actor.clientId : actor.kind
}
