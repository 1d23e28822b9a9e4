import type { ClientActor } from '#platform/core/actor.ts'
import { type DraftBrokenReason, DRAFT_BROKEN_REASONS } from '#kernel/movement-drafts.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { Tx } from '#platform/core/write.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { acceptWithin, type BatchKind, judgeBatch } from '../batch/accept.ts'
import { exclusion } from '../exclude/batch-queries.ts'
import type { Intake } from '../rules/intake.ts'
import { isChanged, wholeFamilies } from '../rules/movement-draft.ts'
import { bodyOf, readAlterationDifferences } from './items.ts'
import {
  breakItems,
  type ConfirmedItem,
  lockDraft,
  type LockedDraft,
  readConfirmed,
  refuseItems,
  requestItems,
  settleDraft,
} from './rows.ts'
import { alterationOfDraft } from './send.ts'

/** A request that a draft makes has so many entries. */
const MAX_ENTRIES = 2_000

/**
 * Requests confirmed items of a draft in the worker's transaction, in the name of who confirmed them: as many as one request takes. Safe to run
 * twice: what was requested is not confirmed any more. Whoever lost the right requests nothing: the items can be confirmed again.
 * @param max entries of a request.
 */
export async function processDraft(
  context: Context,
  tx: Tx,
  companyId: string,
  draftId: string,
  max = MAX_ENTRIES,
): Promise<Progress> {
  const draft = await lockDraft(tx, companyId, draftId)
  const confirmed = await readConfirmed(tx, companyId, draftId, max + 1)
  const [first] = confirmed
  if (first === undefined) return 'done'
  const items = wholeFamilies(confirmed, max).toSorted((one, other) => one.number - other.number)
  const { clientId, kind, address, traceId } = first
  const confirmer: ClientActor = { kind, clientId, origin: { address, traceId } }
  try {
    await tx.savepoint(() => requestWithin(context, tx, draft, confirmer, items))
  } catch (error) {
    const reason = brokenReason(error)
    if (reason === null) throw error
    await breakItems(tx, companyId, draftId, clientId, reason)
  }
  await settleDraft(tx, companyId, draftId, 'done')
  return (await readConfirmed(tx, companyId, draftId, 1)).length > 0 ? 'more' : 'done'
}

async function requestWithin(
  context: Context,
  tx: Tx,
  draft: LockedDraft,
  confirmer: ClientActor,
  items: readonly ConfirmedItem[],
): Promise<void> {
  const { companyId, id: draftId, companyTaxId, reference, movement } = draft
  const client = await tx.asClient(confirmer, mayRequest(confirmer), [companyId])
  const changed = movement === 'alteration' ? await changedMeanwhile(tx, draft, items) : new Set<number>()
  await refuseItems(
    tx,
    companyId,
    draftId,
    [...changed].map((number) => ({ number, offenses: ['changed-meanwhile'] })),
  )
  const left = items.filter(({ number }) => !changed.has(number))
  if (left.length === 0) return
  const judging = {
    body: bodyOf(
      companyTaxId,
      reference,
      left.map(({ entry }) => entry),
    ),
    dryRun: false,
    lenient: true,
    resolution: null,
    isPortuguese: false,
    ...(confirmer.kind === 'operator' && { intake: intakeOf(draft) }),
  }
  const judged =
    movement === 'alteration'
      ? await judgeBatch(withDocuments(alterationOfDraft, draft), context, client, confirmer, judging)
      : await judgeBatch(withDocuments(exclusion, draft), context, client, confirmer, judging)
  const { result: rejected = [] } = JSON.parse(`{${judged.lists.join()}}`) as { readonly result?: readonly Rejected[] }
  const refused = rejected.flatMap(({ index, offenses }) => {
    const item = left[index]
    return item === undefined ? [] : [{ number: item.number, offenses }]
  })
  await refuseItems(tx, companyId, draftId, refused)
  if (judged.accepted === null) return
  const { requestId } = judged.accepted
  await acceptWithin(client, confirmer, { ...judged.accepted, draftId })
  const numbers = new Set(refused.map(({ number }) => number))
  await requestItems(
    tx,
    companyId,
    draftId,
    left.flatMap(({ number }) => (numbers.has(number) ? [] : [number])),
    requestId,
  )
}

interface Rejected {
  readonly index: number
  readonly offenses: readonly string[]
}

/** The items of which what is stored is no longer what whoever confirmed them saw. */
async function changedMeanwhile(
  tx: Tx,
  { companyId, companyTaxId }: LockedDraft,
  items: readonly ConfirmedItem[],
): Promise<Set<number>> {
  const company = { id: companyId, taxId: companyTaxId }
  const now = await readAlterationDifferences(
    tx,
    company,
    items.map(({ entry }) => entry),
  )
  const isOther = ({ differences }: ConfirmedItem, place: number) => {
    const found = now[place]
    // Who is no member any more is refused by the rules of the batch.
    return found != null && isChanged(differences, found.differences)
  }
  return new Set(items.filter(isOther).map(({ number }) => number))
}

/** The documents of the draft are usable by its movements only. */
function withDocuments<Movement extends 'alteration' | 'exclusion'>(
  kind: BatchKind<Movement>,
  { documentIds }: LockedDraft,
): BatchKind<Movement> {
  return {
    ...kind,
    readFacts: async (...given) => {
      const read = await kind.readFacts(...given)
      return read && { ...read, facts: { ...read.facts, usableDocumentIds: documentIds } }
    },
  }
}

/** How the request came that an operator makes of a draft: as the operator's batch said, else by the draft of the company. */
function intakeOf({ intake, createdAt, createdBy }: LockedDraft): Intake {
  if (intake !== null) return intake
  return { medium: 'draft', receivedAt: createdAt, requesterName: createdBy, requesterContact: null, documents: [] }
}

/** The reason for an error of a client that may not request any more. */
function brokenReason(error: unknown): DraftBrokenReason | null {
  if (!(error instanceof ApiError)) return null
  const { code } = error
  return DRAFT_BROKEN_REASONS.find((reason) => reason === code) ?? null
}
