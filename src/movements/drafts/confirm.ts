import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { DraftApproval } from '#kernel/movement-drafts.ts'
import type { AutomaticClass } from '#kernel/roster-syncs.ts'
import { useDocuments } from '#registry/documents/queries.ts'
import { differencesWith, fillEntry, takesOfAll, type SentValues } from '../rules/draft-entries.ts'
import { approvalsOf, type DraftPerson, needsBroker } from '../rules/movement-draft.ts'
import { brokenReason } from './broken.ts'
import { readDraftPeople } from './people.ts'
import { draftNotFound, type KnownDraft, readDraftFor, requireDraft } from './queries.ts'
import {
  confirmItems,
  discardItems,
  fillItems,
  type GuardedProduct,
  type OpenItem,
  readAutomaticItems,
  readGuarded,
  readOpenEntries,
  readOpenItems,
  type Selection,
  setConfirmed,
} from './confirm-rows.ts'
import { enqueueDraft, expiryOf, lockDraft, type LockedDraft, settleDraft } from './rows.ts'

interface Act {
  readonly selection: Selection
  readonly saveResponse: SaveResponse
}

/** What whoever confirms gives beside the selection. */
export interface Confirmation extends Act {
  /** For all items that lack it. */
  readonly all: SentValues
  /** For items by their number, with their places in the body. */
  readonly own: ReadonlyMap<number, { readonly index: number; readonly values: SentValues }>
  /** The number of people who leave, and why, where many do. */
  readonly guard: { readonly people: number; readonly reason: string } | null
}

/**
 * Confirms items of a draft: those that the caller may request are requested by the job of the draft, in its name; the others wait for somebody else.
 * @throws ApiError 400, 401, 403, 404, and 409 for a draft that is not open, or when more people leave than usual; then nothing is confirmed.
 */
export async function confirmDraft(
  context: Context,
  actor: ClientActor,
  draftId: string,
  { selection, saveResponse, all, own, guard }: Confirmation,
): Promise<void> {
  if (selection.classes?.includes('tax-id-correction') === true) {
    throw invalidBody([{ field: 'classes', code: 'not-applicable' }], 'not-in-bulk')
  }
  await inDraft(context, actor, draftId, saveResponse, async (tx, draft) => {
    const approvals = approvalsOf({ kind: actor.kind, environment: context.config.environment })
    const open = (await readOpenItems(tx, draft.companyId, draftId, selection)).filter(
      ({ approval }) => approval === null || approvals.includes(approval),
    )
    if (open.length === 0) throw nothingSelected()
    if (open.some((item) => item.approval === 'second-operator' && item.decidedBy === actor.clientId)) {
      throw new ApiError('second-person-needed')
    }
    await fillOpen(tx, actor, draft, open, { all, own })
    const people = await guardedPeople(tx, draft, open)
    if (people !== null && (guard?.people !== people.count || guard.reason.trim() === '')) {
      throw new ApiError('guard-not-confirmed', { people: people.count, products: people.products })
    }
    const isGuarded = people !== null && guard !== null
    await confirmOpen(context, tx, actor, draft, open, isGuarded ? { ...guard, reason: guard.reason.trim() } : null)
  })
}

/**
 * Confirms what is proposed of the classes in the name of a client, without what lacks anything, and nobody of whom many leave a product.
 * Who may not request any more confirms nothing.
 */
export async function confirmAutomatically(
  context: Context,
  tx: Tx,
  actor: ClientActor,
  companyId: string,
  draftId: string,
  classes: readonly AutomaticClass[],
): Promise<void> {
  const draft = await lockDraft(tx, companyId, draftId)
  if (draft.status === 'closed') return
  const found = await readAutomaticItems(tx, companyId, draftId, classes)
  const guarded = await readGuarded(tx, companyId, draftId, numbersOf(found.filter(isExclusion)))
  const products = new Set<string | null>(guarded.map((product) => product['product-id']))
  const open = found.filter((item) => !isExclusion(item) || !products.has(item.productId))
  if (open.length === 0) return
  try {
    const client = await tx.asClient(actor, mayRequest(actor), [companyId])
    await confirmOpen(context, client, actor, draft, open, null)
  } catch (error) {
    if (brokenReason(error) === null) throw error
  }
}

const isExclusion = ({ movement }: OpenItem) => movement === 'exclusion'
const numbersOf = (items: readonly OpenItem[]) => items.map(({ number }) => number)

/** Confirms items that lack nothing: what the actor may not request alone waits for somebody else. */
async function confirmOpen(
  context: Context,
  tx: Tx,
  actor: ClientActor,
  { companyId, id: draftId, source }: LockedDraft,
  open: readonly OpenItem[],
  guard: Confirmation['guard'],
): Promise<void> {
  const { environment, secondPersonExclusions: max } = context.config
  const confirming = { kind: actor.kind, environment }
  const leavers = open.filter((item) => isExclusion(item) && item.approval === null)
  const isMany = actor.kind === 'operator' && max !== null && new Set(leavers.map(({ person }) => person)).size > max
  const approvalOf = (item: OpenItem): DraftApproval | null => {
    if (item.approval !== null) return null
    if (needsBroker(item.movement, confirming)) return 'broker'
    return isMany && isExclusion(item) ? 'second-operator' : null
  }
  const groups = Map.groupBy(open, approvalOf)
  for (const [approval, items] of groups) {
    await confirmItems(tx, companyId, draftId, actor, numbersOf(items), approval)
  }
  await setConfirmed(tx, companyId, draftId, expiryOf(context.today()), guard?.reason ?? null)
  await settleDraft(tx, companyId, draftId, 'done')
  if (groups.has(null)) await enqueueDraft(tx, companyId, draftId, actor.clientId)
  const isApproved = open.some(({ approval }) => approval !== null)
  tx.audit({ action: isApproved ? 'movement-draft.approved' : 'movement-draft.confirmed', target: draftId, companyId })
  if (source !== 'roster-sync') return
  const counts = [...Map.groupBy(open, (item) => item.class)].map(([name, items]) => `${name}=${items.length}`)
  const target = [draftId, ...counts.toSorted(), ...(guard === null ? [] : [`guard=${guard.people}`])].join(' ')
  tx.audit({ action: 'movement-draft.items-confirmed', target, companyId })
}

/** The people whom items exclude from products that many would have left; null: there is no such product. */
async function guardedPeople(
  tx: Tx,
  { companyId, id, source }: LockedDraft,
  open: readonly OpenItem[],
): Promise<{ readonly count: number; readonly products: readonly GuardedProduct[] } | null> {
  const leaving = open.filter(isExclusion)
  if (source !== 'roster-sync' || leaving.length === 0) return null
  const selected = new Set(leaving.map(({ productId }) => productId))
  const products = (await readGuarded(tx, companyId, id, numbersOf(leaving))).filter((product) =>
    selected.has(product['product-id']),
  )
  if (products.length === 0) return null
  const over = new Set<string | null>(products.map((product) => product['product-id']))
  const people = new Set(leaving.filter(({ productId }) => over.has(productId)).map(({ person }) => person))
  return { count: people.size, products }
}

/** So many items of which something is missing are named. */
const MAX_NAMED = 100

/**
 * Puts what is given into the entries of the items. Their documents belong to the draft from then on.
 * @throws ApiError 400 when it is not valid, when an item still lacks something, and for documents that cannot be used.
 */
async function fillOpen(
  tx: Tx,
  actor: ClientActor,
  { companyId, id: draftId, documentIds }: LockedDraft,
  open: readonly OpenItem[],
  { all, own }: Pick<Confirmation, 'all' | 'own'>,
): Promise<void> {
  const given = open.filter((item) => own.has(item.number) || takesOfAll(item, all))
  const entries = await readOpenEntries(tx, companyId, draftId, numbersOf(given))
  const filled = given.flatMap((item) => {
    const stored = entries.get(item.number)
    if (stored === undefined) return []
    const { index = 0, values = {} } = own.get(item.number) ?? {}
    return [
      {
        item,
        stored,
        ...fillEntry({ ...item, ...stored }, values, all, own.has(item.number) ? `items[${index}].` : ''),
      },
    ]
  })
  const errors = new Map(filled.flatMap((one) => one.errors).map((error) => [JSON.stringify(error), error]))
  if (errors.size > 0) throw invalidBody([...errors.values()])
  const needsOf = new Map(filled.map(({ item, needs }) => [item.number, needs]))
  const lacking = open
    .map(({ number, needs }) => ({ number, needs: needsOf.get(number) ?? needs }))
    .filter(({ needs }) => needs.length > 0)
  if (lacking.length > 0) {
    throw new ApiError('needs-missing', {
      details: [{ field: 'items', code: 'missing' }],
      items: lacking.slice(0, MAX_NAMED),
    })
  }
  const altered = filled.filter(({ stated }) => Object.keys(stated).length > 0)
  const people =
    altered.length === 0
      ? new Map<string, DraftPerson>()
      : await readDraftPeople(
          tx,
          companyId,
          altered.map(({ stored }) => stored.taxId),
        )
  await fillItems(
    tx,
    companyId,
    draftId,
    filled.map(({ item, entry, stored, stated }) => ({
      number: item.number,
      entry,
      differences: differencesWith(stored.differences, stated, people.get(stored.taxId)?.profile ?? {}),
    })),
  )
  const sent = new Set(filled.flatMap(({ documents }) => documents.map((document) => document['document-id'])))
  const documents = [...sent].filter((id) => !documentIds.includes(id))
  if (!(await useDocuments(tx, actor, companyId, draftId, documents))) {
    throw invalidBody([{ field: 'items', code: 'unknown' }])
  }
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
