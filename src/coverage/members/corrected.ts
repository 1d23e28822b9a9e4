import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Parameters } from '#platform/core/parameters.ts'

/*
 * A CPF is corrected in one company: the person's rows in other companies keep the former one. One id is one item of a list: it has the newest CPF,
 * and what the companies of all its CPFs have. Where a company knew the new CPF already, under an id of its own, that is the same person.
 */

/** A row of a person whose CPF was corrected in one of the companies. */
export interface CorrectedRow {
  readonly id: string
  readonly taxId: string
  /** The time at which this row was corrected; null: it has the CPF that the person came with. */
  readonly correctedAt: Date | null
}

/** The CPFs of people who have several, and of each the newest of its person: two lists of one length. */
export interface SharedTaxIds {
  readonly taxIds: readonly string[]
  readonly shown: readonly string[]
}

/** The CPFs of people who have several; people with one are left out. */
export function shareTaxIds(rows: readonly CorrectedRow[]): SharedTaxIds {
  // The rows of a person are those that ids and CPFs connect.
  const groups = new Map<string, CorrectedRow[]>()
  for (const row of rows) {
    const keys = [`id ${row.id}`, `CPF ${row.taxId}`]
    const found = [...new Set(keys.map((key) => groups.get(key)))].filter((group) => group !== undefined)
    const joined = [...found.flat(), row]
    for (const row of joined) for (const key of [`id ${row.id}`, `CPF ${row.taxId}`]) groups.set(key, joined)
  }
  const [taxIds, shown]: [string[], string[]] = [[], []]
  for (const group of new Set(groups.values())) {
    const own = [...new Set(group.map(({ taxId }) => taxId))]
    if (own.length === 1) continue
    const newest = group.reduce((best, row) => (isNewer(row, best) ? row : best))
    taxIds.push(...own)
    shown.push(...own.map(() => newest.taxId))
  }
  return { taxIds, shown }
}

function isNewer(row: CorrectedRow, than: CorrectedRow): boolean {
  const [a, b] = [row.correctedAt?.getTime() ?? 0, than.correctedAt?.getTime() ?? 0]
  return a === b ? row.taxId < than.taxId : a > b
}

/** Reads the CPFs that are of one person in the caller's companies; null: of all companies, for an operator. */
export async function readSharedTaxIds(sql: Pick<Sql, 'query'>, caller: Client | null): Promise<SharedTaxIds> {
  const own =
    caller === null
      ? ''
      : 'join entitlement on entitlement.client_id = $1 and entitlement.company_id = member.company_id'
  const rows = await sql.query<CorrectedRow>(
    `with corrected as materialized (
       select distinct member.id from member ${own} where member.tax_id_corrected_at is not null
     )
     select member.id, member.tax_id as "taxId", member.tax_id_corrected_at as "correctedAt"
     from corrected join member on member.id = corrected.id ${own}`,
    caller === null ? [] : [caller.clientId],
  )
  return shareTaxIds(rows)
}

/** SQL of rows (tax_id, shown), for `from` and `join`; null where no person has several CPFs. */
export function sharedTable({ taxIds, shown }: SharedTaxIds, parameters: Parameters): string | null {
  if (taxIds.length === 0) return null
  return `(select * from unnest(${parameters.add(taxIds)}::bpchar[], ${parameters.add(shown)}::bpchar[]) as corrected (tax_id, shown))`
}

/** SQL of the CPFs (tax_id) of all people of whom `selected` has one. @param selected SQL of rows with tax_id. */
export function withShared(selected: string, shared: string | null): string {
  if (shared === null) return selected
  return `select distinct coalesce(same_person.tax_id, selected.tax_id) as tax_id from (${selected}) selected
    left join ${shared} corrected on corrected.tax_id = selected.tax_id
    left join ${shared} same_person on same_person.shown = corrected.shown`
}
