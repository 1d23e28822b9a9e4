import type { Sql } from '#platform/core/database.ts'
import { NOT_PREMIUM_ENTRY_TYPES } from '#kernel/reconciliation.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import { pricedBenefitColumns, pricedBenefits } from '../prices/pricing-queries.ts'
import { LEDGER_MONTHS, type LedgerBenefit } from '../rules/ledger.ts'
import { firstDay, lastDay } from '../rules/premium.ts'

/**
 * SQL: the files that count: of each contract, month, kind and kind of invoice the latest that was read. A carrier that corrects one sends it again.
 * @param where a condition of `carrier_file` that names the company and the kind.
 */
export const countedFilesOf = (where: string): string => `(
  select distinct on (carrier_file.contract_id, carrier_file.reference_month, carrier_file.kind, carrier_file.invoice_kind)
    carrier_file.company_id, carrier_file.id, carrier_file.contract_id, carrier_file.reference_month, carrier_file.kind,
    carrier_file.invoice_kind, carrier_file.computed_total
  from carrier_file
  where carrier_file.status = 'read' and ${where}
  order by carrier_file.contract_id, carrier_file.reference_month, carrier_file.kind, carrier_file.invoice_kind, 
    carrier_file.created_at desc, carrier_file.id desc)`

/** SQL: the invoices that count. @param where a condition of `carrier_file` that names the company. */
export const countedInvoicesOf = (where: string): string => countedFilesOf(`carrier_file.kind = 'invoice' and ${where}`)

/** SQL: those of a company ($1). @param where a condition of `carrier_file`. */
export const countedInvoices = (where: string): string =>
  countedInvoicesOf(`carrier_file.company_id = $1 and (${where})`)

/** SQL: whether a `carrier_line` is a premium, or a correction of one. */
export const isPremiumLine = `coalesce(carrier_line.entry_type, 'monthly') not in (${NOT_PREMIUM_ENTRY_TYPES.map((type) => `'${type}'`).join(', ')})`

/** SQL: the lines of the invoices of a company ($1) that credit claims, with the month of cover that was claimed. */
export const claimCredits = `(select claim_line.credited_file_id as file_id, claim_line.credited_line as line_number,
    min(coalesce(discrepancy.cover_month, claim.reference_month)) as month
  from claim_line join claim on claim.company_id = claim_line.company_id and claim.id = claim_line.claim_id
  join discrepancy on discrepancy.company_id = claim_line.company_id and discrepancy.id = claim_line.discrepancy_id
  where claim_line.company_id = $1 and claim_line.credited_line is not null group by 1, 2)`

/** SQL: the month of cover that a `carrier_line` in the invoice of a month says itself. */
const statedMonth = (month: string): string => `coalesce(carrier_line.entry_period,
  case when carrier_line.entry_type like '%-retroactive' then to_char((${month} || '-01')::date - 1, 'YYYY-MM') else ${month} end)`

/** SQL: the month of cover of a `carrier_line` in the invoice of a month, over the left join of `claimCredits` as `credit`, as `periodOf` says it. */
export const coverMonth = (month: string): string => `coalesce(credit.month, ${statedMonth(month)})`

/** SQL: the lines of counted invoices that are premiums of a benefit, as `carrier_line` of an `invoice`. */
const premiumLines = (invoices: string): string => `${invoices} invoice
  join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = invoice.id and carrier_line.benefit_id is not null
    and carrier_line.amount is not null and ${isPremiumLine}
  left join ${claimCredits} credit on credit.file_id = carrier_line.file_id and credit.line_number = carrier_line.line_number`

/**
 * SQL: the premiums of the lines of counted invoices by benefit and month of cover: benefit_id, file_month, invoice, period, amount, and whether a
 * line says that it is of the month (is_direct), rather than the claim that it credits.
 * @param invoices of `countedInvoices`. @param where a condition of `carrier_line` and `invoice`.
 */
export const premiumCharges = (invoices: string, where = 'true'): string => `(
  select carrier_line.benefit_id, invoice.reference_month as file_month, invoice.reference_month || ' ' || invoice.invoice_kind as invoice,
    ${coverMonth('invoice.reference_month')} as period, sum(carrier_line.amount)::bigint as amount,
    bool_or(credit.month is null or credit.month = ${statedMonth('invoice.reference_month')}) as is_direct
  from ${premiumLines(invoices)}
  where ${where}
  group by 1, 2, 3, 4)`

interface LedgerKey {
  readonly companyId: string
  readonly contractId: string
  /** The latest month of the invoices, and of the cover. */
  readonly through: Month
  /** Only these; null: all of the contract. */
  readonly benefitIds: readonly string[] | null
}

/** For each charge the month of its invoice, the month of cover and the amount: an object for each of many takes long to build. */
type StoredCharges = readonly [fileMonths: readonly Month[], periods: readonly Month[], amounts: readonly number[]]

type StoredBenefit = Omit<LedgerBenefit, 'charges'> & { readonly charges: StoredCharges | null }

function benefitOf({ charges, ...benefit }: StoredBenefit): LedgerBenefit {
  const [fileMonths, periods, amounts] = charges ?? [[], [], []]
  return {
    ...benefit,
    charges: fileMonths.map((fileMonth, at) => ({
      fileMonth,
      period: periods[at] ?? fileMonth,
      amount: amounts[at] ?? 0,
    })),
  }
}

/** SQL: the benefits of a contract that are covered, or charged, in the months of the ledger, each as `StoredBenefit`. */
const ledgerStatement = `select json_build_object(${pricedBenefitColumns}, 'isPending', benefit.status = 'pending',
    'createdOn', (benefit.created_at at time zone 'America/Sao_Paulo')::date, 'charges', charged.charges) as item
  from ${pricedBenefits}
  left join (
    select carrier_line.benefit_id, json_build_array(array_agg(invoice.reference_month),
      array_agg(${coverMonth('invoice.reference_month')}), array_agg(carrier_line.amount)) as charges
    from ${premiumLines(countedInvoices('carrier_file.contract_id = $2 and carrier_file.reference_month between $3 and $4'))}
    where $7::uuid[] is null or carrier_line.benefit_id = any($7)
    group by 1
  ) charged on charged.benefit_id = benefit.id
  where contract_plan.company_id = $1 and contract_plan.contract_id = $2 and ($7::uuid[] is null or benefit.id = any($7))
    and (charged.charges is not null or benefit.start_date <= $6::date and (benefit.end_date is null or benefit.end_date >= $5::date))
  order by benefit.id`

function ledgerValues({ companyId, contractId, through, benefitIds }: LedgerKey): unknown[] {
  const from = addMonths(through, -LEDGER_MONTHS)
  return [companyId, contractId, from, through, firstDay(from), lastDay(through), benefitIds]
}

/** The benefits of a contract that are covered, or charged, in the months of the ledger, 2000 at a time: by a cursor of the transaction. */
export async function* ledgerBenefits(sql: Sql, key: LedgerKey): AsyncGenerator<LedgerBenefit[]> {
  await sql.execute(`declare ledger_benefit no scroll cursor for ${ledgerStatement}`, ledgerValues(key))
  for (;;) {
    const rows = await sql.query<{ item: StoredBenefit }>('fetch forward 2000 from ledger_benefit')
    if (rows.length === 0) break
    yield rows.map(({ item }) => benefitOf(item))
  }
  await sql.execute('close ledger_benefit')
}

/** Some benefits of a contract, by id. */
export async function readLedgerBenefits(
  sql: Sql,
  key: LedgerKey & { readonly benefitIds: readonly string[] },
): Promise<Map<string, LedgerBenefit>> {
  const rows = await sql.queryPlanned<{ item: StoredBenefit }>(ledgerStatement, ledgerValues(key))
  return new Map(rows.map(({ item }) => [item.benefitId, benefitOf(item)]))
}

/** The months of a contract whose invoices were read, through a month. */
export async function readKnownMonths(
  sql: Sql,
  { companyId, contractId, through }: Pick<LedgerKey, 'companyId' | 'contractId' | 'through'>,
): Promise<Set<Month>> {
  const rows = await sql.query<{ month: Month }>(
    `select distinct reference_month as month from carrier_file
     where company_id = $1 and contract_id = $2 and kind = 'invoice' and status = 'read' and reference_month <= $3`,
    [companyId, contractId, through],
  )
  return new Set(rows.map((row) => row.month))
}
