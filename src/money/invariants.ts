import type { Invariant } from '#platform/core/invariant.ts'
import { countedFilesOf, countedInvoicesOf } from './ledger/queries.ts'

/** SQL: whether a `carrier_file` is of the month of a `closing`. */
const ofClosedMonth = `carrier_file.company_id = closing.company_id and carrier_file.reference_month = closing.reference_month`

/** SQL: the act that closed a `closing` last. */
const lastClosed = `(select act.value from jsonb_array_elements(closing.acts) with ordinality act(value, place)
  where act.value ->> 'act' = 'closed' order by act.place desc limit 1)`

/** SQL: what the `line`s of exports are summed by. */
const exportKey = 'line.company_id, line.member_id, line.kind, line.product_type, line.origin_month'

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
  {
    name: 'invoice-overdue-due',
    description: 'Every invoice that is overdue has had its event.',
    violations: `select invoice.id from invoice, given where invoice.unpaid_due_date < given.day and not invoice.overdue_event_written`,
  },
  {
    name: 'invoice-unpaid-day',
    description: 'The stored day on which the next payment of an invoice is due is that of its slips.',
    violations: `select invoice.id from invoice
      left join (
        select company_id, invoice_id, min(payment_slip_due_date) filter (where status = 'pending') as day
        from invoice_file where status is not null group by company_id, invoice_id) slip
        on slip.company_id = invoice.company_id and slip.invoice_id = invoice.id
      where invoice.unpaid_due_date is distinct from case when slip.invoice_id is null then invoice.due_date else slip.day end`,
  },
  {
    name: 'invoice-owner',
    description: 'An invoice id that a company owns has its invoice there.',
    violations: `select invoice_owner.id from invoice_owner
      left join invoice on invoice.company_id = invoice_owner.company_id and invoice.id = invoice_owner.id where invoice.id is null`,
  },
  {
    name: 'carrier-total',
    description:
      'What a carrier charges in a compared invoice is the sum of the lines of persons and entries, to the cent.',
    violations: `select reconciliation.id from reconciliation
      left join carrier_line on carrier_line.company_id = reconciliation.company_id and carrier_line.file_id = reconciliation.carrier_file_id
        and carrier_line.kind in ('person', 'entry')
      where reconciliation.carrier_total is not null and reconciliation.status <> 'computing'
      group by reconciliation.company_id, reconciliation.id having coalesce(sum(carrier_line.amount), 0) <> min(reconciliation.carrier_total)`,
  },
  {
    name: 'claim-lines',
    description: 'A claim has lines, all of discrepancies of its reconciliation.',
    violations: `select claim.id from claim
      left join claim_line on claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id
      left join discrepancy on discrepancy.company_id = claim_line.company_id and discrepancy.id = claim_line.discrepancy_id
      group by claim.company_id, claim.id
      having count(claim_line.discrepancy_id) = 0 or bool_or(discrepancy.reconciliation_id is distinct from claim.reconciliation_id)`,
  },
  {
    name: 'claimed-discrepancy',
    description:
      'A discrepancy that is claimed is a line of its claim, and what a claim that is not refused has is claimed by it.',
    violations: `select discrepancy.id from discrepancy
      left join claim_line on claim_line.company_id = discrepancy.company_id and claim_line.claim_id = discrepancy.claim_id
        and claim_line.discrepancy_id = discrepancy.id
      where discrepancy.status = 'claimed' and claim_line.claim_id is null
      union
      select discrepancy.id from claim
      join claim_line on claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id
      join discrepancy on discrepancy.company_id = claim_line.company_id and discrepancy.id = claim_line.discrepancy_id
      where claim.status <> 'refused' and (discrepancy.status <> 'claimed' or discrepancy.claim_id is distinct from claim.id)`,
  },
  {
    name: 'claim-credit',
    description:
      'What is credited is what was claimed: the line of a later invoice of the contract, with that amount, of a claim that was sent.',
    violations: `select claim.id from claim
      join claim_line on claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id
      left join carrier_line on carrier_line.company_id = claim_line.company_id and carrier_line.file_id = claim_line.credited_file_id
        and carrier_line.line_number = claim_line.credited_line
      left join carrier_file on carrier_file.company_id = carrier_line.company_id and carrier_file.id = carrier_line.file_id
      where claim_line.credited_line is not null and (claim.status = 'draft' or carrier_line.amount is distinct from -claim_line.amount
        or carrier_file.kind <> 'invoice' or carrier_file.contract_id <> claim.contract_id
        or carrier_file.reference_month <= claim.reference_month)`,
  },
  {
    name: 'closing-acts',
    description: 'The status of a closing is what was done last.',
    violations: `select id from closing where status <>
      case acts -> -1 ->> 'act' when 'closed' then 'closed' when 'exported' then 'exported' when 'reopened' then 'open' else '' end`,
  },
  {
    name: 'closed-reconciliations',
    description: 'The comparisons of a closed month are closed, and those of other months are not.',
    violations: `select reconciliation.id from reconciliation
      left join closing on closing.company_id = reconciliation.company_id and closing.reference_month = reconciliation.reference_month
      where (reconciliation.status = 'closed') <> coalesce(closing.status <> 'open', false)`,
  },
  {
    name: 'closed-without-open-items',
    description: 'A month that was closed with nothing to do has no open discrepancy in its latest comparisons.',
    violations: `select closing.id from closing
      where closing.status <> 'open' and jsonb_array_length(${lastClosed} -> 'open-items') = 0 and exists (
        select 1 from (
          select reconciliation.id from ${countedInvoicesOf(ofClosedMonth)} invoice
          join reconciliation on reconciliation.company_id = closing.company_id and reconciliation.carrier_file_id = invoice.id
          union all
          (select distinct on (reconciliation.contract_id) reconciliation.id from reconciliation
           where reconciliation.company_id = closing.company_id and reconciliation.reference_month = closing.reference_month
             and reconciliation.kind = 'roster'
           order by reconciliation.contract_id, reconciliation.created_at desc, reconciliation.id desc)) latest
        join discrepancy on discrepancy.company_id = closing.company_id and discrepancy.reconciliation_id = latest.id
        where discrepancy.status = 'open')`,
  },
  {
    name: 'closed-figures',
    description:
      'The charges that are stored of a closed month are those of its files, to the cent; an open month has none.',
    violations: `select closing.id from closing
      where coalesce((select sum(closing_charge.amount) from closing_charge
          where closing_charge.company_id = closing.company_id and closing_charge.closing_id = closing.id), 0)
        <> case when closing.status = 'open' then 0 else coalesce((
          select sum(carrier_line.amount)
          from ${countedFilesOf(`carrier_file.kind in ('invoice', 'coparticipation') and ${ofClosedMonth}`)} latest
          join carrier_line on carrier_line.company_id = closing.company_id and carrier_line.file_id = latest.id), 0) end
      union
      select closing.id from closing
      join closing_expected on closing_expected.company_id = closing.company_id and closing_expected.closing_id = closing.id
      where closing.status = 'open'`,
  },
  {
    name: 'forecast-sum',
    description:
      'The causes of each line of a stored forecast explain what differs from the last invoice, to the cent.',
    violations: `select forecast_id as id from forecast_line
      where firm + scheduled + at_carrier + requested - last_amount
        <> (select coalesce(sum(value::bigint), 0) from jsonb_each_text(causes))`,
  },
  {
    name: 'payroll-exports',
    description:
      'The payroll exports of a month are numbered from 1 without a gap, and a month that is exported has one.',
    violations: `select closing.id from closing
      where closing.status = 'exported' and not exists (select 1 from payroll_export
        where payroll_export.company_id = closing.company_id and payroll_export.reference_month = closing.reference_month)
      union
      select min(id::text)::uuid from payroll_export group by company_id, reference_month having min(number) <> 1 or max(number) <> count(*)`,
  },
  {
    name: 'payroll-lines',
    description: 'A line of a payroll export is of a month through its period.',
    violations: `select payroll_export.id from payroll_export join payroll_export_line on payroll_export_line.company_id = payroll_export.company_id
        and payroll_export_line.export_id = payroll_export.id
      where payroll_export_line.origin_month > payroll_export.reference_month`,
  },
  {
    name: 'payroll-due',
    description: 'What the exports of a company have of a month is what was due of it at the last one.',
    violations: `select export_id as id from (
        select line.export_id, line.due, sum(line.amount) over (partition by ${exportKey}) as exported,
          row_number() over (partition by ${exportKey} order by payroll_export.created_at desc, line.export_id desc) as position
        from payroll_export_line line
        join payroll_export on payroll_export.company_id = line.company_id and payroll_export.id = line.export_id) summed
      where position = 1 and exported <> due`,
  },
  {
    name: 'payroll-people',
    description: 'A line of a payroll export is the sum of the parts of the people that it is for.',
    violations: `select export_id as id from payroll_export_line
      where amount <> (select sum((part ->> 'amount')::bigint) from jsonb_array_elements(people) part)`,
  },
]
