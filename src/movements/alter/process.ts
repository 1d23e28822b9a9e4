import type { Tx } from '#platform/core/write.ts'
import { type AlterationFacts, assessAlteration, type DestinationProduct } from '../rules/alteration.ts'
import { offensesOf } from '../rules/alteration-batch.ts'
import type { AlterationOffense } from '#kernel/alteration-offenses.ts'
import { lockFamilies } from '../transition/families.ts'
import type { Context } from '#platform/http/context.ts'
import type { Applied, Failure } from '../batch/process.ts'
import type { Chunk } from '../batch/process-queries.ts'
import { insertRequested, itemsOf, type RequestedEnrollments } from '../completed-request.ts'
import { dataOf, documentIdsOf, enrollmentOf, mayAlterDependents, newTaxIdOf } from './alter.ts'
import { type AlteredEntry, type AlteredPart, readBenefitIds, readEntries } from './process-queries.ts'
import { type FoundFacts, readAlterationFacts, readDestinationProducts } from './queries.ts'

/** Judges the entries of a chunk of alterations again, and inserts their enrollments. */
export async function applyAlterations(context: Context, sql: Tx, at: Date, chunk: Chunk): Promise<Applied> {
  const { companyId, requestId, requestedBy, isOfDraft } = chunk
  await lockFamilies(sql, companyId, await readBenefitIds(sql, chunk))
  // After the locks: while they were waited for, another run of the step may have processed the chunk.
  const entries = await readEntries(sql, chunk)
  const subjects = entries.map(({ memberId, destinationCompanyId, alteration }) => {
    return { memberId, destinationCompanyId, newTaxId: newTaxIdOf(alteration) }
  })
  const found = await readAlterationFacts(sql, sql.actor, companyId, subjects)
  const facts = new Map(found.map((fact) => [fact.index, fact]))
  const products = await readDestinationProducts(sql, [
    ...new Set(subjects.map((subject) => subject.destinationCompanyId)),
  ])
  const today = context.today()
  const of = { companyId, today, dependentsAlterable: isOfDraft || mayAlterDependents(requestedBy) }
  const judged = entries.map((entry, place) => judgeEntry(of, entry, facts.get(place), products))
  const accepted = judged.flatMap(({ requested }) => requested)
  const request = { requestId, requestType: 'alteration', requestedBy } as const
  const inserted = await insertRequested({ sql, companyId, at }, today, request, accepted)
  const missing = itemsOf(accepted.flatMap(({ enrollments }) => enrollments))
  return { enrollmentIds: inserted.map(({ id }) => id), missing, failures: judged.flatMap(({ failures }) => failures) }
}

interface JudgedEntry {
  readonly requested: readonly RequestedEnrollments[]
  readonly failures: readonly Failure[]
}

/** The enrollments of an entry. Its parts fail when the facts changed since the request was accepted. */
function judgeEntry(
  {
    companyId,
    today,
    dependentsAlterable,
  }: Pick<Chunk, 'companyId'> & Pick<AlterationFacts, 'dependentsAlterable'> & { readonly today: string },
  { memberId, taxId, destinationCompanyId, alteration, parts }: AlteredEntry,
  found: FoundFacts | undefined,
  productsOf: ReadonlyMap<string, readonly DestinationProduct[]>,
): JudgedEntry {
  const fail = (some: readonly AlteredPart[], offenses: readonly AlterationOffense[]): Failure[] =>
    some.map(({ 'pending-items': _items, ...part }) => ({ 'tax-id': taxId, ...part, offenses }))
  if (found === undefined) return { requested: [], failures: fail(parts, ['member-not-found']) }
  const products = productsOf.get(destinationCompanyId) ?? []
  const usableDocumentIds = documentIdsOf(alteration)
  const facts = { ...found, products, companyId, destinationCompanyId, usableDocumentIds, dependentsAlterable }
  const assessment = assessAlteration(alteration, facts, today)
  const offenses = new Set(offensesOf(assessment, alteration).map(({ code }) => code))
  if (offenses.size > 0) return { requested: [], failures: fail(parts, [...offenses].sort()) }
  const made = new Set(assessment.parts.map(({ benefit, name }) => `${benefit.type} ${name}`))
  const ended = parts.filter((part) => !made.has(keyOf(part)))
  const items = new Map(parts.map((part) => [keyOf(part), part['pending-items'] ?? undefined]))
  const requested = {
    effectiveDate: assessment.effectiveDate,
    reference: alteration.reference,
    sandbox: alteration.sandbox,
    data: dataOf(alteration),
    enrollments: assessment.parts.map((part) => ({
      ...enrollmentOf(part, { memberId, destinationCompanyId }, found.taxId),
      pendingItems: items.get(`${part.benefit.type} ${part.name}`),
    })),
  }
  return { requested: [requested], failures: fail(ended, ['no-active-benefit']) }
}

const keyOf = (part: AlteredPart): string => `${part.type} ${part['product-name']}`
