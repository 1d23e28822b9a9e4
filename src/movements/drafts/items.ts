import { batchLimits } from '#platform/http/strict-json.ts'
import type { Sql } from '#platform/core/database.ts'
import { cpf } from '#kernel/field-types.ts'
import { readAlterationBody } from '../batch/alteration-body.ts'
import { parseBody } from '../batch/parse-and-judge.ts'
import type { AlterationEntry } from '../rules/alteration-entries.ts'
import { dayOf, type Intake } from '../rules/intake.ts'
import {
  alterationDifferences,
  classOfAlteration,
  type DraftDifference,
  type DraftPerson,
  exclusionDifferences,
} from '../rules/movement-draft.ts'
import { readDraftPeople, readDraftProducts } from './people.ts'
import type { NewDraftItem } from './rows.ts'

type Entry = Readonly<Record<string, unknown>>

/** The entries of a batch as they were sent. @throws BatchShapeError */
export const entriesOf = (body: Buffer): readonly Entry[] =>
  (parseBody(body, batchLimits) as { readonly members: readonly Entry[] }).members

/** The body of a batch. */
export const bodyOf = (companyTaxId: string, reference: string | null, members: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ 'company-tax-id': companyTaxId, ...(reference !== null && { reference }), members }))

interface Company {
  readonly id: string
  readonly taxId: string
}

/** What alterations would change now, in their order; null: the person is no member any more. */
export async function readAlterationDifferences(
  sql: Sql,
  company: Company,
  entries: readonly Entry[],
): Promise<
  ({ readonly entry: AlterationEntry; readonly person: DraftPerson; readonly differences: DraftDifference[] } | null)[]
> {
  const parsed = readAlterationBody(bodyOf(company.taxId, null, entries)).entries
  const people = await readDraftPeople(
    sql,
    company.id,
    parsed.flatMap(({ taxId }) => taxId ?? []),
  )
  const products = await readDraftProducts(
    sql,
    parsed.flatMap(({ request }) => request?.newProductId ?? []),
  )
  return parsed.map((entry) => {
    const person = entry.taxId === null ? undefined : people.get(entry.taxId)
    if (person === undefined || entry.request === null) return null
    return { entry, person, differences: alterationDifferences(entry.request, person, products, company.taxId) }
  })
}

/** The items of judged alterations. */
export async function alterationItems(sql: Sql, company: Company, entries: readonly Entry[]): Promise<NewDraftItem[]> {
  const found = await readAlterationDifferences(sql, company, entries)
  return found.flatMap((known, index): NewDraftItem[] => {
    const { taxId, request } = known?.entry ?? {}
    if (known === null || taxId == null || request == null) return []
    const { memberId, family } = known.person
    return [
      {
        class: classOfAlteration(request),
        taxId,
        memberId,
        family,
        entry: entries[index] ?? {},
        differences: known.differences,
      },
    ]
  })
}

/** The items of judged exclusions. @param intake of the batch: who left on request asked for it on that day. */
export async function exclusionItems(
  sql: Sql,
  company: Company,
  entries: readonly Entry[],
  intake: Intake,
): Promise<NewDraftItem[]> {
  const people = await readDraftPeople(sql, company.id, entries.flatMap(taxIdOf))
  return entries.flatMap((sent): NewDraftItem[] => {
    const [taxId] = taxIdOf(sent)
    const person = taxId === undefined ? undefined : people.get(taxId)
    if (taxId === undefined || person === undefined) return []
    const details = sent['exclusion-details'] as Entry
    const isRequested = details['exclusion-reason'] === 'requested-by-beneficiary'
    const entry = {
      ...sent,
      'exclusion-details': isRequested
        ? { ...details, 'requested-at': details['requested-at'] ?? dayOf(intake) }
        : details,
    }
    const { memberId, family } = person
    return [{ class: 'exclusion', taxId, memberId, family, entry, differences: exclusionDifferences(entry, person) }]
  })
}

/** The CPF of an entry; none of one without. */
const taxIdOf = (entry: Entry): string[] => [cpf.parse(entry['tax-id']) ?? []].flat()
