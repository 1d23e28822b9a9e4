import { v7 as uuidv7 } from 'uuid'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { ending } from '#platform/core/events.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { intakeBy } from '../rules/intake.ts'
import type { Context } from '#platform/http/context.ts'
import type { Excluded } from '../exclude/schema.ts'
import { exclude } from '../exclude/exclude.ts'
import {
  claimEndings,
  decideDrafts,
  type Draft,
  type Ending,
  insertDraftRows,
  type NewDraft,
  readObsoleteDrafts,
  requireDraft,
} from './queries.ts'

/* What becomes of benefits whose end lies ahead: the partner gets an event, and an operator may get the draft of an exclusion. */

/** The roles that confirm and discard drafts, beside `admin`. */
export const mayDecideDrafts = ['analyst'] as const

/** Reports ends that lie ahead to the clients of a company, each cause and day of a benefit once. @returns how many. */
export async function reportEndings(tx: Tx, companyId: string, endings: readonly Ending[]): Promise<number> {
  if (endings.length === 0) return 0
  const claimed = await claimEndings({ sql: tx, companyId, at: tx.at() }, endings)
  tx.emit(
    companyId,
    claimed.map(({ benefitId: id, memberId }) => ending({ id, memberId })),
  )
  tx.audit(claimed.map(({ benefitId: target }) => ({ action: 'benefit.ending', target, companyId })))
  return claimed.length
}

/** Proposes exclusions, each cause and day of a benefit once, also after the draft was discarded. @returns how many are new. */
export async function insertDrafts(
  tx: Tx,
  companyId: string,
  drafts: readonly Omit<NewDraft, 'id'>[],
): Promise<number> {
  if (drafts.length === 0) return 0
  const rows = drafts.map((draft) => ({ ...draft, id: uuidv7() }))
  const ids = await insertDraftRows({ sql: tx, companyId, at: tx.at() }, rows)
  tx.audit(ids.map((target) => ({ action: 'draft-exclusion.created', target, companyId })))
  return ids.length
}

/**
 * Requests the exclusion that a draft proposes, with the dependents of a primary. The operator is the client of the request; it waits for the documents that
 * the same exclusion of a partner would wait for.
 * @returns the response.
 * @throws ApiError 400 where rules refuse it without its documents, 404, 409 for a draft that was decided, and for a benefit that has an open change; then nothing is stored.
 */
export async function confirmDraft(context: Context, actor: ClientActor, id: string): Promise<Excluded> {
  const draft = await requireDraft(context.database, id)
  if (draft.status !== 'open') throw new ApiError('draft-exclusion-decided')
  const { companyId, benefitId, memberId, endDate, exclusionReason } = draft
  return exclude(context, actor, {
    memberships: [{ companyId, memberId }],
    target: { by: 'benefit', benefitId },
    details: {
      'end-date': endDate,
      'exclusion-reason': exclusionReason,
      'exclusion-reason-details': null,
      'extension-plan': false,
      documents: [],
    },
    reference: null,
    sandbox: null,
    resolution: null,
    intake: intakeBy('draft', context.database.now()),
    also: (tx, requestId) =>
      decide(tx, draft, { status: 'confirmed', decidedBy: actor.clientId, reason: null, requestId }),
  })
}

/** @throws ApiError 404, 409 for a draft that was decided. */
export async function discardDraft(context: Context, actor: ClientActor, id: string, reason: string): Promise<void> {
  const draft = await requireDraft(context.database, id)
  await write(context, actor, { may: mayDecideDrafts }, (tx) =>
    decide(tx, draft, { status: 'discarded', decidedBy: actor.clientId, reason, requestId: null }),
  )
}

/** Discards open drafts in the name of the clock, because they no longer hold. @returns how many. */
export async function dropDrafts(tx: Tx, companyId: string, ids: readonly string[]): Promise<number> {
  const decision = { status: 'discarded', decidedBy: null, reason: null, requestId: null } as const
  const dropped = await decideDrafts({ sql: tx, companyId, at: tx.at() }, ids, decision)
  tx.audit(dropped.map((target) => ({ action: 'draft-exclusion.discarded', target, companyId })))
  return dropped.length
}

/** Discards the open drafts of benefits that have ended. @returns how many. */
export async function dropObsoleteDrafts(context: Context, signal: AbortSignal): Promise<number> {
  let dropped = 0
  while (!signal.aborted) {
    const obsolete = await readObsoleteDrafts(context.database, CHUNK_SIZE)
    for (const [companyId, drafts] of Map.groupBy(obsolete, (draft) => draft.companyId)) {
      const ids = drafts.map(({ id }) => id)
      dropped += await write(context, { kind: 'clock' }, { may: 'service' }, (tx) => dropDrafts(tx, companyId, ids))
    }
    if (obsolete.length < CHUNK_SIZE) break
  }
  return dropped
}

async function decide(tx: Tx, { companyId, id }: Draft, decision: Parameters<typeof decideDrafts>[2]): Promise<void> {
  const decided = await decideDrafts({ sql: tx, companyId, at: tx.at() }, [id], decision)
  if (decided.length === 0) throw new ApiError('draft-exclusion-decided')
  tx.audit({ action: `draft-exclusion.${decision.status}`, target: id, companyId })
}
