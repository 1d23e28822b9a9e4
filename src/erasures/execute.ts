import { randomInt } from 'node:crypto'
import type { Sql } from '../core/database.ts'
import { type Tx, write } from '../core/write.ts'
import { deleteOrphan } from '../documents/orphans.ts'
import type { Context } from '../http/context.ts'
import { eraseResponses } from '../http/idempotency/erase-responses.ts'
import { planErasure, verdictOf } from './plan.ts'
import {
  discardCopies,
  eraseRequests,
  insertDueOrphans,
  type KnownPerson,
  listApproved,
  lockApproved,
  lockKnown,
  readErased,
  readKnown,
  setFulfilled,
} from './queries.ts'
import { eraseRefusedDocuments } from './refused-documents.ts'
import { eraseTexts } from './search.ts'
import { type ErasedPerson, eraseFrom } from './statements.ts'

const service = { kind: 'service' } as const

/** Does the erasures that were approved, also those that a crash has broken off: each step is a transaction, and none is done twice. */
export async function executeApproved(context: Context, signal: AbortSignal): Promise<void> {
  for (const id of await listApproved(context.database)) {
    if (signal.aborted) return
    await executeErasure(context, id)
  }
}

/**
 * Does an approved erasure: first what names the person in no company, while the names are known; then company by company what may go now; then
 * the request itself.
 */
export async function executeErasure(context: Context, id: string): Promise<void> {
  const { database } = context
  const taxId = await write({ database }, service, { may: 'service' }, async (tx) => {
    const found = await lockApproved(tx, id)
    if (found !== null && !(await isHeldPerson(tx, found))) await eraseOutsideCompanies(tx, found)
    return found
  })
  if (taxId === null) return
  await eraseResponses(context.responseStore, (text) => text.includes(taxId))
  for (const { companyId } of await readKnown(database, taxId)) await eraseInCompany(context, companyId, taxId, id)
  const copies = await write({ database }, service, { may: 'service' }, async (tx) => {
    if ((await lockApproved(tx, id)) === null) return []
    const keys = await discardCopies(tx, taxId)
    await insertDueOrphans(tx, keys)
    await setFulfilled(tx, id, tx.at())
    tx.audit({ action: 'subject-request.fulfilled', target: id, companyId: null })
    const left = await planErasure(context, tx, taxId)
    if (left.every(({ action }) => action === 'erase')) await eraseRequests(tx, taxId)
    return keys
  })
  for (const key of copies) await deleteOrphan(context, key)
}

async function isHeldPerson(sql: Sql, taxId: string): Promise<boolean> {
  return (await sql.query('select from legal_hold where held_tax_id = $1::bpchar', [taxId])).length > 0
}

async function eraseOutsideCompanies(sql: Sql, taxId: string): Promise<void> {
  const names = new Set<string>()
  const emails = new Set<string>()
  for (const person of await readKnown(sql, taxId)) {
    const found = await readErased(sql, person, taxId)
    for (const name of found.names) names.add(name)
    for (const email of found.emails) emails.add(email)
  }
  await eraseTexts(sql, null, { taxId, names: [...names], emails: [...emails] })
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
    const keys = isErased ? await erasePerson(tx, known, taxId) : await eraseRefused(tx, known, taxId)
    await insertDueOrphans(tx, keys)
    return { isErased, keys }
  })
  for (const key of done?.keys ?? []) await deleteOrphan(context, key)
  return done?.isErased ?? false
}

async function eraseRefused(tx: Tx, known: KnownPerson, taxId: string): Promise<readonly string[]> {
  const { enrollmentIds } = await readErased(tx, known, taxId)
  return eraseRefusedDocuments(tx, known.companyId, enrollmentIds)
}

async function erasePerson(tx: Tx, known: KnownPerson, taxId: string): Promise<readonly string[]> {
  const person: ErasedPerson = { ...(await readErased(tx, known, taxId)), replacement: replacementOf() }
  const keys: string[] = []
  for (const erase of Object.values(eraseFrom)) keys.push(...(await erase(tx, person)))
  await eraseTexts(tx, person.companyId, person)
  // Somebody without a benefit is no member: the movements name them.
  const targets = person.memberId === null ? person.enrollmentIds : [person.memberId]
  tx.audit(targets.map((target) => ({ action: 'member.erased', target, companyId: person.companyId })))
  return keys
}

/** `erased` and five characters of `[0-9a-z]`. */
function replacementOf(): string {
  return `erased${randomInt(36 ** 5)
    .toString(36)
    .padStart(5, '0')}`
}
