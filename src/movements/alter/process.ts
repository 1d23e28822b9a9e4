import type { Tx } from '../../core/write.ts'
import { assessAlteration } from '../../domain/alteration.ts'
import { offensesOf } from '../../domain/alteration-batch.ts'
import type { AlterationOffense } from '../../domain/alteration-offenses.ts'
import type { DestinationProduct } from '../../domain/alteration.ts'
import type { Resolution } from '../../domain/enums.ts'
import { lockFamilies } from '../transition/families.ts'
import type { CompanyWrite } from '../transition/types.ts'
import type { Context } from '../../http/context.ts'
import { decideAtOnce } from '../decide/decide-at-once.ts'
import { type Chunk, EarlierRequestError, insertFailures, processBatch, type Progress } from '../batch/progress.ts'
import { insertRequested } from '../completed-request.ts'
import { dataOf, documentIdsOf, enrollmentOf, newTaxIdOf } from './alter.ts'
import { readChunk, type StagedAlteration } from './process-queries.ts'
import { type FoundFacts, readAlterationFacts, readDestinationProducts } from './queries.ts'

/**
 * Processes one chunk of an accepted batch of alterations: judges its entries again, and inserts their enrollments.
 * @throws EarlierRequestError, NotVisibleYetError.
 */
export async function processAlteration(
  context: Context,
  sql: Tx,
  companyId: string,
  requestId: string,
): Promise<Progress> {
  return processBatch(sql, 'staged_alteration', companyId, requestId, (at, chunk, resolution) =>
    processChunk(context, sql, at, chunk, resolution),
  )
}

async function processChunk(
  context: Context,
  sql: Tx,
  at: Date,
  chunk: Chunk,
  resolution: Resolution | null,
): Promise<void> {
  const { companyId } = chunk
  const { benefitIds, hasEarlier } = await readChunk(sql, chunk)
  if (hasEarlier) throw new EarlierRequestError()
  await lockFamilies(sql, companyId, benefitIds)
  // Read again: while the locks were waited for, another run of the step may have processed the chunk.
  const { entries } = await readChunk(sql, chunk)
  const subjects = entries.map(({ memberId, destinationCompanyId, alteration }) => {
    return { memberId, destinationCompanyId, newTaxId: newTaxIdOf(alteration) }
  })
  const found = await readAlterationFacts(sql, null, companyId, subjects)
  const facts = new Map(found.map((one) => [one.index, one]))
  const products = await readDestinationProducts(sql, [...new Set(subjects.map((one) => one.destinationCompanyId))])
  const write = { sql, companyId, at }
  const [ids, failures]: [string[], Failure[]] = [[], []]
  for (const [place, entry] of entries.entries()) {
    const one = await processEntry(context.today(), write, chunk, entry, facts.get(place), products)
    ids.push(...one.enrollmentIds)
    failures.push(...one.failures)
  }
  if (failures.length > 0) await insertFailures(sql, chunk, failures)
  await decideAtOnce(sql, context, companyId, ids, resolution)
}

/** As `request.failures` has it. */
interface Failure {
  readonly 'tax-id': string
  readonly type: string
  readonly 'product-name': string
  readonly offenses: readonly AlterationOffense[]
}

interface ProcessedEntry {
  readonly enrollmentIds: readonly string[]
  readonly failures: readonly Failure[]
}

/** Inserts the enrollments of an entry. Its parts fail when the facts changed since the request was accepted. */
async function processEntry(
  today: string,
  write: CompanyWrite,
  { requestId }: Chunk,
  { memberId, taxId, destinationCompanyId, alteration, parts }: StagedAlteration,
  found: FoundFacts | undefined,
  productsOf: ReadonlyMap<string, readonly DestinationProduct[]>,
): Promise<ProcessedEntry> {
  const fail = (some: StagedAlteration['parts'], offenses: readonly AlterationOffense[]): Failure[] =>
    some.map((part) => ({ 'tax-id': taxId, ...part, offenses }))
  if (found === undefined) return { enrollmentIds: [], failures: fail(parts, ['member-not-found']) }
  const products = productsOf.get(destinationCompanyId) ?? []
  const { companyId } = write
  const usableDocumentIds = documentIdsOf(alteration)
  const facts = { ...found, products, companyId, destinationCompanyId, usableDocumentIds }
  const assessment = assessAlteration(alteration, facts, today)
  const offenses = new Set(offensesOf(assessment, alteration).map(({ code }) => code))
  if (offenses.size > 0) return { enrollmentIds: [], failures: fail(parts, [...offenses].sort()) }
  const made = new Set(assessment.parts.map(({ benefit, name }) => `${benefit.type} ${name}`))
  const ended = parts.filter((part) => !made.has(`${part.type} ${part['product-name']}`))
  const inserted = await insertRequested(write, today, {
    requestId,
    requestType: 'alteration',
    effectiveDate: assessment.effectiveDate,
    reference: alteration.reference,
    data: dataOf(alteration),
    enrollments: assessment.parts.map((part) => enrollmentOf(part, { memberId, destinationCompanyId }, found.taxId)),
  })
  return { enrollmentIds: inserted.map(({ id }) => id), failures: fail(ended, ['no-active-benefit']) }
}
