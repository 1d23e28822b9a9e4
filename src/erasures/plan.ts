import type { Sql } from '../core/database.ts'
import { type ErasureItem, judgeErasure } from '../domain/erasure.ts'
import { retentionDays } from '../domain/retention-days.ts'
import type { Context } from '../http/context.ts'
import { readImportLines, type KnownPerson, readKnown } from './queries.ts'

/** What the erasure of a person deletes, and what stays: computed now, and again when it is approved and done. */
export async function planErasure(context: Context, sql: Sql, taxId: string): Promise<ErasureItem[]> {
  const known = await readKnown(sql, taxId)
  const { lines, isHeld } = await readImportLines(sql, taxId)
  return [
    ...known.flatMap((person) => itemsOf(context, person)),
    {
      class: 'import',
      'company-tax-id': null,
      'company-name': null,
      action: isHeld ? 'keep' : 'erase',
      rows: lines,
      ground: isHeld ? 'legal-hold' : null,
      until: null,
    },
  ]
}

/** Whether everything of the person in the company may be erased. */
export function verdictOf(context: Context, person: KnownPerson) {
  return judgeErasure(person, retentionDays(context.config.retention, 'benefit'), context.today())
}

function itemsOf(context: Context, person: KnownPerson): ErasureItem[] {
  const verdict = verdictOf(context, person)
  const company = { 'company-tax-id': person.companyTaxId, 'company-name': person.companyName }
  const rows = person.benefits + person.movements
  if (verdict.ground === null) return [{ class: 'benefit', ...company, action: 'erase', rows, ...verdict }]
  const kept = { class: 'benefit', ...company, action: 'keep', rows, ...verdict } as const
  if (person.isHeld || person.refusedDocuments === 0) return [kept]
  const refused = { action: 'erase', rows: person.refusedDocuments, ground: null, until: null } as const
  return [kept, { class: 'refused-document', ...company, ...refused }]
}
