import { byKind } from '#coverage/enrollments/kind.ts'
import { QUALIFYING_KEYS } from '../rules/alteration-data.ts'
import { FIELDS_OF_REASONS } from '#coverage/rules/exclusion-details.ts'
import { PROFILE_FIELDS } from '#kernel/inclusion-fields.ts'
import { registrationJson } from '#coverage/members/write.ts'
import {
  carrierProtocol,
  endDate,
  moneyOfOpen,
  memberName,
  notesCount,
  primaryTaxId,
  productOf,
  shipmentThere,
  startDate,
} from '#coverage/enrollments/queries.ts'
import type { QueueSelection } from './queries.ts'

/** Keys of an alteration that are no registration data, or another name of a key of the profile. */
const notStored = new Set(['new-product-id', 'new-company-tax-id', 'email', 'monthly-salary'])

const registrationKeys = [
  ...new Set(['tax-id', ...Object.keys(PROFILE_FIELDS), 'admission-date', ...QUALIFYING_KEYS]),
].filter((key) => !notStored.has(key))

/**
 * SQL: the registration data as they are once the movement is completed: those of the member with those of the movement. An inclusion that was
 * rejected has no member.
 */
const registration = `coalesce(${registrationJson('member')}, '{}') || ${byKind('enrollment.enrollment_type', {
  inclusion: `enrollment.data - 'documents'`,
  exclusion: `'{}'`,
  alteration: `coalesce(enrollment.data->'registration', '{}')`,
})}`

const exclusionDetail = (key: string) => `enrollment.data->'exclusion-details'->>'${key}'`

const alterationDatum = (key: string) => `enrollment.data->'alteration-data'->>'${key}'`

/** The first columns of the export, named as the fields of the API, with the SQL of each. The others are registration data. */
const columns: readonly (readonly [string, string])[] = [
  ['enrollment-id', 'enrollment.id'],
  ['enrollment-type', 'enrollment.enrollment_type'],
  ['alteration-kind', 'enrollment.alteration_kind'],
  ['status', 'enrollment.status'],
  ['reason', 'enrollment.reason'],
  ['created-at', 'iso(enrollment.created_at)'],
  ['last-updated-at', 'iso(enrollment.updated_at)'],
  ['due-date', 'enrollment.due_date'],
  ['scheduled-action-date', 'enrollment.scheduled_action_date'],
  ['scheduled-reason', 'enrollment.scheduled_reason'],
  ['per-month', 'movement_money.per_month'],
  ['charged-beyond-end', 'movement_money.charged_beyond_end'],
  ['cut-off-date', 'movement_money.cut_off_date'],
  ['if-missed', 'movement_money.if_missed'],
  ['lost', 'movement_money.lost'],
  ['lost-if-missed', 'movement_money.lost_if_missed'],
  ['uncovered-days-if-missed', 'movement_money.uncovered_days_if_missed'],
  ['window-until', 'movement_money.window_until'],
  ['assignee', 'enrollment.assignee'],
  ['carrier-protocol', carrierProtocol],
  ['notes-count', notesCount],
  ['request-id', 'enrollment.request_id'],
  ['reference', 'enrollment.reference'],
  ['company-tax-id', 'company.tax_id'],
  ['company-name', 'company.name'],
  ['destination-company-tax-id', 'case when destination_company.id <> company.id then destination_company.tax_id end'],
  ['carrier-name', 'product.carrier_name'],
  ['product-id', 'product.id'],
  ['product-name', 'product.name'],
  ['product-type', 'product.product_type'],
  ['benefit-id', 'enrollment.benefit_id'],
  ['card-number', 'benefit.card_number'],
  ['start-date', startDate],
  ['end-date', endDate],
  ['exclusion-reason', exclusionDetail('exclusion-reason')],
  ['exclusion-reason-details', exclusionDetail('exclusion-reason-details')],
  ['extension-plan', exclusionDetail('extension-plan')],
  ...FIELDS_OF_REASONS.map((key) => [key, exclusionDetail(key)] as const),
  ['alteration-reason', alterationDatum('reason')],
  ['sub-contract', alterationDatum('sub-contract')],
  ['member-id', 'enrollment.member_id'],
  ['member-type', 'enrollment.member_type'],
  ['member-tax-id', 'enrollment.member_tax_id'],
  ['member-name', memberName],
  ['primary-member-tax-id', primaryTaxId],
  ['dependent-type', 'benefit.dependent_type'],
  [
    'documents',
    `(select string_agg(sent_document.item->>'document-type' || ':' || (sent_document.item->>'document-id'), ' ' order by sent_document.place)
      from jsonb_array_elements(enrollment.data->'documents') with ordinality as sent_document(item, place))`,
  ],
]

/** The names of the columns of the export. */
export const exportColumns: readonly string[] = [...columns.map(([name]) => name), ...registrationKeys]

interface ExportItem {
  readonly cells: readonly (string | null)[]
  readonly registration: Readonly<Record<string, string | number | boolean | null>>
}

/** The cells of an item of the export. */
export function exportCells(item: string): (string | null)[] {
  const { cells, registration: data } = JSON.parse(item) as ExportItem
  return [...cells, ...registrationKeys.map((key) => data[key]?.toString() ?? null)]
}

/** The statement of the export: rows (item), an enrollment as JSON. */
export function exportStatement({ from, columns: ofOrder, order, parameters }: QueueSelection): {
  text: string
  values: readonly unknown[]
} {
  return {
    text: `select json_build_object('cells', json_build_array(${columns.map(([, sql]) => `(${sql})::text`).join(', ')}),
        'registration', ${registration})::text as item
      from (select enrollment.company_id, enrollment.id, ${ofOrder} from ${from}) page
      join enrollment on enrollment.company_id = page.company_id and enrollment.id = page.id
      join company on company.id = enrollment.company_id
      join product on ${productOf('enrollment')}
      left join company destination_company on destination_company.id = enrollment.destination_company_id
      left join member on member.company_id = enrollment.company_id and member.id = enrollment.member_id
      left join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id
      left join movement_money on ${moneyOfOpen}
      ${shipmentThere('true')}
      order by ${order}`,
    values: parameters.values,
  }
}
