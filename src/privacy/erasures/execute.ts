import { sqlState } from '#platform/core/database-errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { deleteOrphan } from '#registry/documents/orphans.ts'
import { ERASURE_DELAYS_SECONDS, type ErasureItem, type PlannedMention } from '../rules/erasure.ts'
import type { Context } from '#platform/http/context.ts'
import { eraseResponses } from '#platform/http/idempotency/erase-responses.ts'
import { erasePerson } from './erase-person.ts'
import { changeNamingRow, readNamingRows } from './free-texts.ts'
import { keptItems, planErasure, verdictOf } from './plan.ts'
import {
  discardCopies,
  eraseRequests,
  insertDueOrphans,
  type KnownPerson,
  lockKnown,
  readErased,
  readKnown,
} from './queries.ts'
import { eraseRefusedDocuments } from './refused-documents.ts'
import type { ErasedPerson } from './statements.ts'
import { addRemaining, listApproved, lockApproved, readPlan, setDone, setFailed } from './stored-plans.ts'

const service = { kind: 'service' } as const

/**
 * Does the erasures that were approved, also those that a crash has broken off: each step is a transaction, and none is done twice. One that fails
 * stops alone: it is tried again later, so often, and then waits for an admin.
 */
export async function executeApproved(context: Context, signal: AbortSignal): Promise<void> {
  for (const id of await listApproved(context.database)) {
    if (signal.aborted) return
    try {
      await executeErasure(context, id)
    } catch (error) {
      // Where the database is away, this fails too, and nothing is counted.
      context.log.error({ err: error, subjectRequestId: id }, 'an erasure failed')
      await setFailed(context.database, id, reasonOf(error), ERASURE_DELAYS_SECONDS)
    }
  }
}

/** Why an attempt failed, without anything of the person: the code of the database, or the kind of error. */
function reasonOf(error: unknown): string {
  const state = sqlState(error)
  if (state !== null) return `database-error ${state}`
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[A-Za-z_-]{1,40}$/.test(code) ? `error ${code}` : 'internal-error'
}

/** Erases what names the person or their movements, but where the person stays: before the movements can no longer be found by the CPF. */
async function eraseStoredResponses(context: Context, taxId: string): Promise<void> {
  const { database, memberKey, responseStore } = context
  const needles = [taxId]
  const keptCompanyIds: string[] = []
  for (const person of await readKnown(database, taxId)) {
    if (verdictOf(context, person).ground !== null) keptCompanyIds.push(person.companyId)
    else {
      const { memberId, enrollmentIds, requestIds } = await readErased(database, memberKey, person, taxId)
      needles.push(...(memberId === null ? [] : [memberId]), ...enrollmentIds, ...requestIds)
    }
  }
  await eraseResponses(responseStore, needles, keptCompanyIds)
}

/** How often what arrives meanwhile is erased too. */
const maxPasses = 3

/**
 * Does an approved erasure: first the free text of others, while the names are known, as the plan says; then company by company what may go now, again
 * while something arrives; then the request itself, with what stayed.
 */
export async function executeErasure(context: Context, id: string): Promise<void> {
  const { database } = context
  const taxId = await write({ database }, service, { may: 'service' }, (tx) => eraseMentions(context, tx, id))
  if (taxId === null) return
  await eraseStoredResponses(context, taxId)
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    let erased = 0
    for (const { companyId } of await readKnown(database, taxId)) {
      if (await eraseInCompany(context, companyId, taxId, id)) erased += 1
    }
    if (erased === 0) break
  }
  const copies = await write({ database }, service, { may: 'service' }, (tx) => finish(context, tx, id))
  for (const key of copies) await deleteOrphan(context, key)
}

/** Changes the texts that the plan names; what is in no plan stays, and is counted. @returns the CPF; null: it was cancelled, or is done. */
async function eraseMentions(context: Context, tx: Tx, id: string): Promise<string | null> {
  const taxId = await lockApproved(tx, id)
  const stored = taxId === null ? null : await readPlan(tx, id)
  if (taxId === null || stored === null) return null
  const approved = new Set(stored.mentions.map(placeOf))
  const left: PlannedMention[] = []
  for (const { row, mentions } of (await planErasure(context, tx, taxId)).rows) {
    const isApproved = mentions.every((mention) => mention.action === 'erase' && approved.has(placeOf(mention)))
    if (!isApproved || !(await changeNamingRow(tx, row))) left.push(...mentions)
  }
  await addRemaining(tx, id, itemsOfMentions(left))
  return taxId
}

/** What was approved: the place, and how it reads afterwards. */
const placeOf = (mention: PlannedMention) =>
  JSON.stringify([mention.record, mention['record-id'], mention['company-tax-id'], mention.field, mention.text])

/** What stays of the texts of others, by company and ground. */
function itemsOfMentions(mentions: readonly PlannedMention[]): ErasureItem[] {
  const byPlace = Map.groupBy(mentions, (mention) => JSON.stringify([mention['company-tax-id'], mention.ground]))
  return [...byPlace.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    return [
      {
        class: 'mention' as const,
        'company-tax-id': first['company-tax-id'],
        'company-name': first['company-name'],
        action: 'keep' as const,
        rows: group.length,
        ground: first.ground ?? 'not-in-plan',
        until: null,
      },
    ]
  })
}

/** Closes the request. @returns the keys of copies of the data. */
async function finish(context: Context, tx: Tx, id: string): Promise<readonly string[]> {
  const taxId = await lockApproved(tx, id)
  const stored = taxId === null ? null : await readPlan(tx, id)
  if (taxId === null || stored === null) return []
  const keys = await discardCopies(tx, taxId)
  await insertDueOrphans(tx, keys)
  const { plan, mentions } = await planErasure(context, tx, taxId)
  const remaining = mergeItems([
    ...stored.remaining,
    ...plan.flatMap((item): ErasureItem[] => {
      if (item.action === 'keep') return item.rows === 0 && item.class === 'import' ? [] : [item]
      return item.rows === 0 ? [] : [{ ...item, action: 'keep', ground: 'not-in-plan' }]
    }),
    ...itemsOfMentions(mentions),
  ])
  await setDone(tx, id, remaining, tx.at())
  tx.audit({
    action: remaining.length > 0 ? 'subject-request.partly-fulfilled' : 'subject-request.fulfilled',
    target: id,
    companyId: null,
  })
  if (remaining.length === 0) await eraseRequests(tx, taxId)
  return keys
}

/** One item of each kind: of what was counted twice, the larger. */
function mergeItems(items: readonly ErasureItem[]): ErasureItem[] {
  const kinds = Map.groupBy(items, (item) => JSON.stringify([item.class, item['company-tax-id'], item.ground]))
  return [...kinds.values()].map((group) => group.reduce((most, item) => (item.rows > most.rows ? item : most)))
}

/**
 * Erases a person in a company, or the documents of refused movements where the rest has to stay.
 * @param requestId of the erasure; null: the period of retention is over.
 * @returns whether the person was erased.
 */
export async function eraseInCompany(
  context: Context,
  companyId: string,
  taxId: string,
  requestId: string | null,
): Promise<boolean> {
  const { database } = context
  // The five characters of a replacement may be taken.
  const options = { may: 'service', retriesUniqueViolation: true } as const
  const done = await write({ database }, service, options, async (tx) => {
    if (requestId !== null && (await lockApproved(tx, requestId)) === null) return null
    await lockKnown(tx, companyId, taxId)
    const [known] = await readKnown(tx, taxId, companyId)
    if (known === undefined || known.isHeld) return null
    const isErased = verdictOf(context, known).ground === null
    // Documents of refused movements have a period of their own.
    if (!isErased && requestId === null) return null
    const kept = isErased && requestId !== null ? await readKept(context, tx, known, taxId) : []
    const { person, keys } = isErased
      ? await erasePerson(context, tx, known, taxId)
      : await eraseRefused(context, tx, known, taxId)
    if (isErased && requestId === null) await eraseCpf(tx, person)
    if (requestId !== null && kept.length > 0) await addRemaining(tx, requestId, kept)
    await insertDueOrphans(tx, keys)
    return { isErased, keys }
  })
  for (const key of done?.keys ?? []) await deleteOrphan(context, key)
  return done?.isErased ?? false
}

async function readKept(context: Context, tx: Tx, known: KnownPerson, taxId: string): Promise<ErasureItem[]> {
  return keptItems(tx, known, { ...(await readErased(tx, context.memberKey, known, taxId)), replacement: '' })
}

/** Retention has no approved plan: of the texts of others it changes only those with the whole CPF, which no other person has. */
async function eraseCpf(tx: Tx, { companyId, taxId }: ErasedPerson): Promise<void> {
  for (const row of await readNamingRows(tx, { taxId, names: [], emails: [] }, companyId))
    await changeNamingRow(tx, row)
}

async function eraseRefused(context: Context, tx: Tx, known: KnownPerson, taxId: string) {
  const person = { ...(await readErased(tx, context.memberKey, known, taxId)), replacement: '' }
  return { person, keys: await eraseRefusedDocuments(tx, known.companyId, person.enrollmentIds) }
}
