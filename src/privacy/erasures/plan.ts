import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import { type ErasureItem, judgeErasure, type PlannedMention } from '../rules/erasure.ts'
import { retentionDays } from '#kernel/retention-days.ts'
import type { Context } from '#platform/http/context.ts'
import { erasePerson } from './erase-person.ts'
import { type NamingRow, readNamingRows } from './free-texts.ts'
import { type KnownPerson, readCompanies, readErased, readImportLines, readKnown } from './queries.ts'
import { countEvidence, countHeldFiles, type ErasedPerson } from './statements.ts'
import type { Plan } from './stored-plans.ts'

/** A row of others that the plan changes. */
interface PlannedRow {
  readonly row: NamingRow
  readonly mentions: readonly PlannedMention[]
}

export interface ComputedPlan extends Plan {
  readonly rows: readonly PlannedRow[]
}

/**
 * What the erasure of a person deletes, and what stays: computed now, and again when it is approved and done. Erases the person and undoes it:
 * what names the person then is of others.
 */
export async function planErasure(context: Context, tx: Tx, taxId: string): Promise<ComputedPlan> {
  const known = await readKnown(tx, taxId)
  const { lines, isHeld } = await readImportLines(tx, taxId)
  const named = { taxId, names: new Set<string>(), emails: new Set<string>() }
  const plan: ErasureItem[] = []
  for (const person of known) {
    const found = await readErased(tx, context.memberKey, person, taxId)
    for (const name of found.names) named.names.add(name)
    for (const email of found.emails) named.emails.add(email)
    plan.push(...(await itemsOf(context, tx, person, { ...found, replacement: '' })))
  }
  plan.push({
    class: 'import',
    'company-tax-id': null,
    'company-name': null,
    action: isHeld ? 'keep' : 'erase',
    rows: lines,
    ground: isHeld ? 'legal-hold' : null,
    until: null,
  })
  const rows = await tx.savepoint(
    async () => {
      for (const person of known.filter((person) => verdictOf(context, person).ground === null)) {
        await erasePerson(context, tx, person, taxId)
      }
      const texts = { taxId, names: [...named.names], emails: [...named.emails] }
      return readNamingRows(tx, texts)
    },
    () => false,
  )
  const kept = new Set(
    known.filter((person) => verdictOf(context, person).ground !== null).map(({ companyId }) => companyId),
  )
  const planned = isHeld
    ? []
    : await withCompanies(
        tx,
        rows.filter(({ companyId }) => companyId === null || !kept.has(companyId)),
      )
  return { plan, rows: planned, mentions: planned.flatMap((row) => row.mentions) }
}

async function withCompanies(sql: Sql, rows: readonly NamingRow[]): Promise<PlannedRow[]> {
  const ids = [...new Set(rows.flatMap(({ companyId }) => companyId ?? []))]
  const companies = new Map((await readCompanies(sql, ids)).map((company) => [company.id, company]))
  return rows.map((row) => {
    const company = companies.get(row.companyId ?? '')
    const isKept = company?.isHeld === true
    return {
      row,
      mentions: row.mentions.map(({ record, text, ...place }) => ({
        record: record.replaceAll('_', '-'),
        ...place,
        'company-tax-id': company?.taxId ?? null,
        'company-name': company?.name ?? null,
        action: isKept ? ('keep' as const) : ('erase' as const),
        ground: isKept ? ('legal-hold' as const) : null,
        text,
      })),
    }
  })
}

/** Whether everything of the person in the company may be erased. */
export function verdictOf(context: Context, person: KnownPerson) {
  return judgeErasure(person, retentionDays(context.config.retention, 'benefit'), context.today())
}

async function itemsOf(context: Context, sql: Sql, person: KnownPerson, found: ErasedPerson): Promise<ErasureItem[]> {
  const verdict = verdictOf(context, person)
  const company = { 'company-tax-id': person.companyTaxId, 'company-name': person.companyName }
  const rows = person.benefits + person.movements
  if (verdict.ground === null) {
    return [
      { class: 'benefit', ...company, action: 'erase', rows, ...verdict },
      ...(await evidenceOf(sql, person, found)),
      ...(await keptItems(sql, person, found)),
    ]
  }
  const kept = { class: 'benefit', ...company, action: 'keep', rows, ...verdict } as const
  if (person.isHeld || person.refusedDocuments === 0) return [kept]
  const refused = { action: 'erase', rows: person.refusedDocuments, ground: null, until: null } as const
  return [kept, { class: 'refused-document', ...company, ...refused }]
}

/** The evidence that goes with the person. */
async function evidenceOf(sql: Sql, person: KnownPerson, found: ErasedPerson): Promise<ErasureItem[]> {
  const { own } = await countEvidence(sql, found)
  return own === 0 ? [] : [{ ...itemOf(person, 'evidence', own), action: 'erase', ground: null }]
}

/** What stays when the person goes: files that have another person who is held, and evidence of requests that are about others too. */
export async function keptItems(sql: Sql, person: KnownPerson, found: ErasedPerson): Promise<ErasureItem[]> {
  const { shared } = await countEvidence(sql, found)
  const files = await countHeldFiles(sql, found)
  const kept = [
    { ...itemOf(person, 'evidence', shared), action: 'keep', ground: 'other-people' },
    { ...itemOf(person, 'file', files), action: 'keep', ground: 'legal-hold' },
  ] as const
  return kept.filter(({ rows }) => rows > 0)
}

const itemOf = (person: KnownPerson, ofClass: ErasureItem['class'], rows: number) => ({
  class: ofClass,
  'company-tax-id': person.companyTaxId,
  'company-name': person.companyName,
  rows,
  until: null,
})
