import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { approvalsOf, needsBroker } from '../rules/movement-draft.ts'
import { draftNotFound, type KnownDraft, readDraftFor, requireDraft } from './queries.ts'
import {
  confirmItems,
  discardItems,
  enqueueDraft,
  expiryOf,
  lockDraft,
  type LockedDraft,
  type OpenItem,
  readOpenItems,
  type Selection,
  setConfirmed,
  settleDraft,
} from './rows.ts'

interface Act {
  readonly selection: Selection
  readonly saveResponse: SaveResponse
}

/**
 * Confirms items of a draft: those that the caller may request are requested by the job of the draft, in its name; the others wait for the broker.
 * @throws ApiError 400, 401, 403, 404, and 409 for a draft that is not open; then nothing is confirmed.
 */
export async function confirmDraft(
  context: Context,
  actor: ClientActor,
  draftId: string,
  { selection, saveResponse }: Act,
): Promise<void> {
  await inDraft(context, actor, draftId, saveResponse, async (tx, draft) => {
    const { companyId, movement } = draft
    const confirming = { kind: actor.kind, environment: context.config.environment }
    const approvals = approvalsOf(confirming)
    const open = (await readOpenItems(tx, companyId, draftId, selection)).filter(
      ({ approval }) => approval === null || approvals.includes(approval),
    )
    if (open.length === 0) throw nothingSelected()
    if (open.some((item) => item.approval === 'second-operator' && item.decidedBy === actor.clientId)) {
      throw new ApiError('second-person-needed')
    }
    const isForBroker = ({ approval }: OpenItem) => approval === null && needsBroker(movement, confirming)
    const [forBroker, ready] = [open.filter(isForBroker), open.filter((item) => !isForBroker(item))]
    await confirmItems(
      tx,
      companyId,
      draftId,
      actor,
      forBroker.map(({ number }) => number),
      'broker',
    )
    await confirmItems(
      tx,
      companyId,
      draftId,
      actor,
      ready.map(({ number }) => number),
      null,
    )
    await setConfirmed(tx, companyId, draftId, expiryOf(context.today()))
    await settleDraft(tx, companyId, draftId, 'done')
    if (ready.length > 0) await enqueueDraft(tx, companyId, draftId, actor.clientId)
    const isApproved = open.some(({ approval }) => approval !== null)
    tx.audit({
      action: isApproved ? 'movement-draft.approved' : 'movement-draft.confirmed',
      target: draftId,
      companyId,
    })
  })
}

/**
 * Discards items of a draft that wait for somebody, without a selection all of them.
 * @throws ApiError 400, 401, 403, 404, and 409 for a draft that is not open.
 */
export async function discardDraft(
  context: Context,
  actor: ClientActor,
  draftId: string,
  { selection, saveResponse, reason }: Act & { readonly reason: string | null },
): Promise<void> {
  if (actor.kind === 'operator' && reason === null) throw invalidBody([{ field: 'reason', code: 'missing' }])
  await inDraft(context, actor, draftId, saveResponse, async (tx, { companyId }) => {
    if ((await discardItems(tx, companyId, draftId, actor.clientId, selection, reason)) === 0) throw nothingSelected()
    await settleDraft(tx, companyId, draftId, 'discarded')
    tx.audit({ action: 'movement-draft.discarded', target: draftId, companyId })
  })
}

/** An act on a draft that is not closed. The response is the draft after it. */
async function inDraft(
  context: Context,
  actor: ClientActor,
  draftId: string,
  saveResponse: SaveResponse,
  act: (tx: Tx, draft: LockedDraft & KnownDraft) => Promise<void>,
): Promise<void> {
  const known = await requireDraft(context.database, actor, draftId)
  const { companyId } = known
  const companies = { ids: [companyId], entitled: 'all', error: draftNotFound } as const
  await write(context, actor, { may: mayRequest(actor), companies, saveResponse }, async (tx) => {
    const locked = await lockDraft(tx, companyId, draftId)
    if (locked.status === 'closed') throw new ApiError('movement-draft-status', { status: locked.status })
    await act(tx, { ...known, ...locked })
    tx.respond(await readDraftFor(tx, actor, draftId), [companyId])
  })
}

const nothingSelected = () => invalidBody([{ field: 'items', code: 'too-few' }], 'nothing-selected')
