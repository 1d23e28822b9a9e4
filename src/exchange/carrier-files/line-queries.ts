import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import type { MatchedBy } from '#kernel/reconciliation.ts'
import type { SearchTerm } from '#kernel/search.ts'
import type { Page } from '#platform/http/page.ts'
import { matchesSearch } from '#coverage/members/search-queries.ts'
import { candidates } from './match.ts'

/** What the lines of a list have in common. */
export const LINE_MATCHES = ['matched', 'unmatched', 'ambiguous', 'refused', 'total'] as const
type LineMatch = (typeof LINE_MATCHES)[number]

/** SQL: whether a line is of no benefit, and no total. */
export const isUnmatched = `carrier_line.benefit_id is null and carrier_line.kind <> 'total'`

const conditions: Readonly<Record<LineMatch, string>> = {
  matched: 'carrier_line.benefit_id is not null',
  unmatched: `${isUnmatched} and not carrier_line.is_ambiguous and carrier_line.problems is null`,
  ambiguous: 'carrier_line.is_ambiguous',
  refused: 'carrier_line.problems is not null',
  total: `carrier_line.kind = 'total'`,
}

/** SQL of a CarrierLine over `carrier_line`, and `benefit`, `member` and `product` where it has one. */
const lineJson = `json_build_object('line-number', carrier_line.line_number, 'record', carrier_line.record, 'kind', carrier_line.kind,
  'is-refused', carrier_line.problems is not null, 'problems', coalesce(carrier_line.problems, carrier_line.unread, '[]'), 'card-number', carrier_line.card_number, 'certificate', carrier_line.certificate,
  'dependent-code', carrier_line.dependent_code, 'tax-id', carrier_line.tax_id, 'repaired-tax-id', carrier_line.tax_id_repaired,
  'employee-id', carrier_line.employee_id, 'name', carrier_line.name, 'date-of-birth', carrier_line.date_of_birth,
  'relationship', coalesce(carrier_line.dependent_type, carrier_line.member_type), 'plan-code', carrier_line.plan_code,
  'start-date', carrier_line.start_date, 'end-date', carrier_line.end_date, 'amount', carrier_line.amount,
  'employee-amount', carrier_line.employee_amount, 'stated-total', carrier_line.stated_total, 'summed-total', carrier_line.summed_total, 'entry-type', carrier_line.entry_type, 'entry-code', carrier_line.entry_code,
  'entry-period', carrier_line.entry_period, 'is-ambiguous', carrier_line.is_ambiguous, 'matched-by', carrier_line.matched_by,
  'benefit-id', carrier_line.benefit_id, 'member-id', benefit.member_id, 'member-name', member.name, 'product-name', product.name,
  'discrepancies', coalesce(found.discrepancies, '[]'))`

/** Joins what a line was matched with. */
export const lineBenefit = `left join benefit on benefit.company_id = carrier_line.company_id and benefit.id = carrier_line.benefit_id
  left join member on member.company_id = benefit.company_id and member.id = benefit.member_id
  left join product on product.company_id = benefit.company_id and product.id = benefit.product_id`

/** SQL: joins what the comparison of the file $2 of the company $1 found of lines. @param lines their numbers, as `in` takes them. */
const lineDiscrepancies = (lines: string) => `left join (
    select discrepancy.line_number, json_agg(json_build_object('discrepancy-id', discrepancy.id, 'class', discrepancy.class,
      'status', discrepancy.status, 'amount', discrepancy.amount) order by discrepancy.class, discrepancy.id) as discrepancies
    from reconciliation
    join discrepancy on discrepancy.company_id = reconciliation.company_id and discrepancy.reconciliation_id = reconciliation.id
    where reconciliation.company_id = $1 and reconciliation.carrier_file_id = $2 and discrepancy.line_number in (${lines})
    group by discrepancy.line_number
  ) found on found.line_number = carrier_line.line_number`

/** A page of the lines of a file in their order, with their total. */
export async function listLines(
  sql: Sql,
  { companyId, fileId }: { readonly companyId: string; readonly fileId: string },
  match: LineMatch | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page> {
  const selected = `carrier_line where carrier_line.company_id = $1 and carrier_line.file_id = $2
    ${match === null ? '' : `and ${conditions[match]}`}`
  // The page first: whatever the statistics say, nothing is joined to the lines before it.
  const rows = await sql.queryPlanned<Page>(
    `with line as materialized (select carrier_line.* from ${selected} order by carrier_line.line_number limit $3 offset $4)
     select (select count(*) from ${selected}) as total, (
       select coalesce(json_agg(${lineJson} order by carrier_line.line_number), '[]')::text
       from line carrier_line ${lineBenefit} ${lineDiscrepancies('select line_number from line')}) as items`,
    [companyId, fileId, limit, offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** `{ "result": line }`; null when there is none. */
export async function readLine(sql: Sql, companyId: string, fileId: string, line: number): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${lineJson})::text as body from carrier_line ${lineBenefit} ${lineDiscrepancies('$3')}
     where carrier_line.company_id = $1 and carrier_line.file_id = $2 and carrier_line.line_number = $3`,
    [companyId, fileId, line],
  )
  return rows[0]?.body ?? null
}

interface LinkedLine {
  readonly cardNumber: string | null
  readonly benefitId: string | null
  readonly matchedBy: MatchedBy | null
  readonly isRefused: boolean
}

/** Locks a line until the transaction ends; null: there is none. */
export async function lockLine(sql: Sql, companyId: string, fileId: string, line: number): Promise<LinkedLine | null> {
  const rows = await sql.query<LinkedLine>(
    `select card_number as "cardNumber", benefit_id as "benefitId", matched_by as "matchedBy", problems is not null as "isRefused"
     from carrier_line where company_id = $1 and file_id = $2 and line_number = $3 for update`,
    [companyId, fileId, line],
  )
  return rows[0] ?? null
}

/** People of a contract that lines of a file may be of. */
interface FoundBenefits {
  readonly items: string
  readonly memberIds: readonly string[]
}

/** The first benefits of a contract whose people a search finds, by name; one for each product and role of a person. */
export async function searchCandidates(
  sql: Sql,
  { companyId, contractId }: { readonly companyId: string; readonly contractId: string },
  lastDay: string,
  search: SearchTerm,
): Promise<FoundBenefits> {
  const parameters = new Parameters(companyId, contractId, lastDay)
  const rows = await sql.queryPlanned<FoundBenefits>(
    `select coalesce(json_agg(json_build_object('benefit-id', found.id, 'member-name', found.name, 'type', found.type,
         'product-name', found.product_name, 'card-number', found.card_number, 'start-date', found.start_date, 'end-date', found.end_date)
         order by fold(found.name) collate "C", found.id), '[]')::text as items,
       coalesce(array_agg(distinct found.member_id), '{}') as "memberIds"
     from (
       select candidate.id, member.id as member_id, member.name, benefit.type, product.name as product_name, benefit.card_number,
         benefit.start_date, benefit.end_date
       from (${candidates}) candidate
       join benefit on benefit.company_id = $1 and benefit.id = candidate.id
       join member on member.company_id = $1 and member.id = benefit.member_id
       join product on product.company_id = $1 and product.id = benefit.product_id
       where ${matchesSearch(search, true, parameters)}
       order by fold(member.name) collate "C", benefit.id limit 20
     ) found`,
    parameters.values,
  )
  return rows[0] ?? { items: '[]', memberIds: [] }
}

/** Links a line by hand. @param benefitId null: to no benefit. */
export async function linkLine(
  sql: Sql,
  companyId: string,
  fileId: string,
  line: number,
  benefitId: string | null,
): Promise<void> {
  await sql.execute(
    `update carrier_line set benefit_id = $4, matched_by = case when $4::uuid is not null then 'hand' end, is_ambiguous = false
     where company_id = $1 and file_id = $2 and line_number = $3`,
    [companyId, fileId, line, benefitId],
  )
}

/** The card of a benefit that lines of the contract may be of; null: it is none of these. */
export async function findCandidate(
  sql: Sql,
  { companyId, contractId }: { readonly companyId: string; readonly contractId: string },
  lastDay: string,
  benefitId: string,
): Promise<{ readonly cardNumber: string | null; readonly isActive: boolean } | null> {
  const rows = await sql.query<{ cardNumber: string | null; isActive: boolean }>(
    `select candidate.card_number as "cardNumber", benefit.status = 'active' as "isActive" from (${candidates}) candidate
     join benefit on benefit.company_id = $1 and benefit.id = candidate.id where candidate.id = $4`,
    [companyId, contractId, lastDay, benefitId],
  )
  return rows[0] ?? null
}
