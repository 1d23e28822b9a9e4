import { byKind } from '../enrollments/kind.ts'
import { QUALIFYING_KEYS } from '../domain/alteration-data.ts'
import { PROFILE_FIELDS } from '../domain/inclusion-fields.ts'
import { registrationJson } from '../members/write.ts'
import {
  endDate,
  memberName,
  notesCount,
  primaryTaxId,
  productOfEnrollment,
  startDate,
} from '../enrollments/queries.ts'
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
const registration = `coalesce(${registrationJson('m')}, '{}') || ${byKind('e.enrollment_type', {
  inclusion: `e.data - 'documents'`,
  exclusion: `'{}'`,
  alteration: `coalesce(e.data->'registration', '{}')`,
})}`

const exclusionDetail = (key: string) => `e.data->'exclusion-details'->>'${key}'`

/** The first columns of the export, named as the fields of the API, with the SQL of each. The others are registration data. */
const columns: readonly (readonly [string, string])[] = [
  ['enrollment-id', 'e.id'],
  ['enrollment-type', 'e.enrollment_type'],
  ['status', 'e.status'],
  ['reason', 'e.reason'],
  ['created-at', 'iso(e.created_at)'],
  ['last-updated-at', 'iso(e.updated_at)'],
  ['due-date', 'e.due_date'],
  ['scheduled-action-date', 'e.scheduled_action_date'],
  ['scheduled-reason', 'e.scheduled_reason'],
  ['assignee', 'e.assignee'],
  ['notes-count', notesCount],
  ['request-id', 'e.request_id'],
  ['reference', 'e.reference'],
  ['company-tax-id', 'c.tax_id'],
  ['company-name', 'c.name'],
  ['destination-company-tax-id', 'case when d.id <> c.id then d.tax_id end'],
  ['carrier-name', 'p.carrier_name'],
  ['product-id', 'p.id'],
  ['product-name', 'p.name'],
  ['product-type', 'p.product_type'],
  ['benefit-id', 'e.benefit_id'],
  ['card-number', 'b.card_number'],
  ['start-date', startDate],
  ['end-date', endDate],
  ['exclusion-reason', exclusionDetail('exclusion-reason')],
  ['exclusion-reason-details', exclusionDetail('exclusion-reason-details')],
  ['extension-plan', exclusionDetail('extension-plan')],
  ['member-id', 'e.member_id'],
  ['member-type', 'e.member_type'],
  ['member-tax-id', 'e.member_tax_id'],
  ['member-name', memberName],
  ['primary-member-tax-id', primaryTaxId],
  ['dependent-type', 'b.dependent_type'],
  [
    'documents',
    `(select string_agg(i.item->>'document-type' || ':' || (i.item->>'document-id'), ' ' order by i.place)
      from jsonb_array_elements(e.data->'documents') with ordinality as i(item, place))`,
  ],
]

/** The names of the columns of the export. */
export const exportColumns: readonly string[] = [...columns.map(([name]) => name), ...registrationKeys]

interface ExportItem {
  readonly cells: readonly (string | null)[]
  readonly registration: Readonly<Record<string, string | number | null>>
}

/** The cells of an item of the export. */
export function exportCells(item: string): (string | null)[] {
  const { cells, registration: data } = JSON.parse(item) as ExportItem
  return [...cells, ...registrationKeys.map((key) => data[key]?.toString() ?? null)]
}

/** The statement of the export: rows (item), an enrollment as JSON. */
export function exportStatement({ from, order, values }: QueueSelection): { text: string; values: readonly unknown[] } {
  return {
    text: `select json_build_object('cells', json_build_array(${columns.map(([, sql]) => `(${sql})::text`).join(', ')}),
        'registration', ${registration})::text as item
      from (select e.company_id, e.id from ${from}) l
      join enrollment e on e.company_id = l.company_id and e.id = l.id
      join company c on c.id = e.company_id
      join product p on ${productOfEnrollment}
      left join company d on d.id = e.destination_company_id
      left join member m on m.company_id = e.company_id and m.id = e.member_id
      left join benefit b on b.company_id = e.company_id and b.id = e.benefit_id
      order by ${order}`,
    values,
  }
}
