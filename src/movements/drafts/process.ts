import type { ClientActor } from '#platform/core/actor.ts'
import type { DraftMovement } from '#kernel/movement-drafts.ts'
import { Records } from '#platform/core/records.ts'
import type { Tx } from '#platform/core/write.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { updateMembers } from '#coverage/members/write.ts'
import { acceptWithin, type BatchKind, judgeBatch, type JudgedBatch } from '../batch/accept.ts'
import { exclusion } from '../exclude/batch-queries.ts'
import { inclusion } from '../include/queries.ts'
import type { Intake } from '../rules/intake.ts'
import { isChanged, isStale, mergedAlterations, wholeFamilies } from '../rules/movement-draft.ts'
import { brokenReason } from './broken.ts'
import { bodyOf, readAlterationDifferences } from './items.ts'
import { readDraftPeople } from './people.ts'
import { breakItems, type ConfirmedItem, readConfirmed, refuseItems, requestItems } from './process-rows.ts'
import { lockDraft, type LockedDraft, newerDraft, settleDraft, supersedeDrafts } from './rows.ts'
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
    const newer = await newerDraft(tx, draft)
    if (newer !== null && draft.scopeKey !== null) await supersedeDrafts(tx, companyId, draft.scopeKey, newer)
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
  const { companyId, id: draftId, companyTaxId, reference } = draft
  const client = await tx.asClient(confirmer, mayRequest(confirmer), [companyId])
  const movement = items[0]?.movement ?? null
  if (movement === null) return writeData(tx, client, draft, items)
  const changed = movement === 'alteration' ? await changedMeanwhile(tx, draft, items) : new Set<number>()
  await refuseItems(
    tx,
    companyId,
    draftId,
    [...changed].map((number) => ({ number, offenses: ['changed-meanwhile'] })),
  )
  const left = items.filter(({ number }) => !changed.has(number))
  if (left.length === 0) return
  const entries =
    movement === 'alteration'
      ? mergedAlterations(left)
      : left.map(({ number, entry }) => ({ numbers: [number], entry }))
  const judged = await judgeAs(movement, context, client, confirmer, draft, {
    body: bodyOf(
      companyTaxId,
      reference,
      entries.map(({ entry }) => entry),
    ),
    dryRun: false,
    lenient: true,
    resolution: null,
    language: 'en',
    ...(confirmer.kind === 'operator' && { intake: intakeOf(draft) }),
  })
  const { result: rejected = [] } = JSON.parse(`{${judged.lists.join()}}`) as { readonly result?: readonly Rejected[] }
  const refused = rejected.flatMap(({ index, offenses }) =>
    (entries[index]?.numbers ?? []).map((number) => ({ number, offenses })),
  )
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

function judgeAs(
  movement: DraftMovement,
  context: Context,
  client: Tx,
  confirmer: ClientActor,
  draft: LockedDraft,
  judging: Parameters<typeof judgeBatch>[4],
): Promise<JudgedBatch> {
  switch (movement) {
    case 'inclusion':
      return judgeBatch(withDocuments(inclusion, draft), context, client, confirmer, judging)
    case 'exclusion':
      return judgeBatch(withDocuments(exclusion, draft), context, client, confirmer, judging)
    case 'alteration':
      return judgeBatch(withDocuments(alterationOfDraft, draft), context, client, confirmer, judging)
    default:
      return movement satisfies never
  }
}

/** Writes data that no carrier has to their people, who are locked: what is stored is compared and changed at once. */
async function writeData(
  tx: Tx,
  client: Tx,
  { companyId, id: draftId }: LockedDraft,
  items: readonly ConfirmedItem[],
): Promise<void> {
  const taxIds = items.map(({ taxId }) => taxId)
  await tx.query(
    'select id from member where company_id = $1 and tax_id = any($2::bpchar[]) order by id for no key update',
    [companyId, taxIds],
    taxIds.length,
  )
  const people = await readDraftPeople(tx, companyId, taxIds)
  const refused = items.flatMap(({ number, taxId, differences }) => {
    const person = people.get(taxId)
    if (person === undefined) return [{ number, offenses: ['member-not-found'] }]
    return isStale(differences, person) ? [{ number, offenses: ['changed-meanwhile'] }] : []
  })
  await refuseItems(tx, companyId, draftId, refused)
  const numbers = new Set(refused.map(({ number }) => number))
  const written = items.filter(({ number }) => !numbers.has(number))
  if (written.length === 0) return
  const changes = [...Map.groupBy(written, ({ taxId }) => taxId)].map(([taxId, some]) => ({
    id: people.get(taxId)?.memberId ?? '',
    data: Object.assign({}, ...some.map(({ entry }) => entry)) as object,
  }))
  await updateMembers(tx, tx.at(), {
    text: 'select $1::uuid as company_id, id, data from json_to_recordset($2::json) as sent(id uuid, data jsonb)',
    values: [companyId, Records.of(changes)],
  })
  client.audit(changes.map(({ id }) => ({ action: 'member.updated', target: id, companyId })))
  await requestItems(
    tx,
    companyId,
    draftId,
    written.map(({ number }) => number),
    null,
  )
}

interface Rejected {
  readonly index: number
  readonly offenses: readonly string[]
}

/** The items of which what is stored is no longer what whoever confirmed them saw. */
async function changedMeanwhile(
  tx: Tx,
  { companyId, companyTaxId, source }: LockedDraft,
  items: readonly ConfirmedItem[],
): Promise<Set<number>> {
  if (source === 'roster-sync') {
    const people = await readDraftPeople(
      tx,
      companyId,
      items.map(({ taxId }) => taxId),
    )
    const isOld = ({ taxId, differences }: ConfirmedItem) => {
      const person = people.get(taxId)
      return person !== undefined && isStale(differences, person)
    }
    return new Set(items.filter(isOld).map(({ number }) => number))
  }
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
function withDocuments<Movement extends DraftMovement>(
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
