import { type Static, Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { CLOSING_ACTS, CLOSING_ITEM_STATES, CLOSING_ITEMS, CLOSING_STATUSES } from '#kernel/broker-enums.ts'
import { INVOICE_KINDS } from '#kernel/reconciliation.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import {
  Closed,
  Cnpj,
  Named,
  noControls,
  Nullable,
  OneOf,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { filters, CompanyTaxId } from '#platform/http/filters.ts'

export const ClosingQuery = Closed({
  'company-tax-id': filters.company,
  'reference-month': Type.Optional({ ...Month, description: 'Only this month, `YYYY-MM`.' }),
  status: Type.Optional(OneOf(CLOSING_STATUSES, { description: 'Only those with this status.' })),
  ...pageQuery,
})

export const ChecklistQuery = Closed({ 'company-tax-id': CompanyTaxId, 'reference-month': Month })

const reason = Type.String({ minLength: 1, maxLength: MAX_REASON_CHARACTERS, ...noControls, pattern: '\\S' })
const state = OneOf(CLOSING_ITEM_STATES, {
  description: 'Of all contracts the worst: `missing` without a file, `open` with discrepancies that are not handled.',
})
const status = OneOf(CLOSING_STATUSES, {
  description: 'While a month is `closed` or `exported` nothing that its figures follow from is written.',
})
const Total = Nullable(Type.Integer({ description: 'Cents; null: no invoice was compared.' }))

const Checklist = Named(
  'ClosingChecklist',
  Type.Object({ roster: state, invoice: state, claims: state, allocation: state, payroll: state }),
)

const figures = {
  'contract-id': Uuid,
  'carrier-total': Total,
  'expected-total': Total,
  discrepancy: Total,
  'claimed-total': Type.Integer({ description: 'What claims of the month ask for, in cents.' }),
}

const MonthToClose = Named(
  'MonthToClose',
  Type.Object({
    'company-tax-id': Cnpj,
    'reference-month': Month,
    'closing-id': Nullable({ ...Uuid, description: 'Null: the month was never closed.' }),
    status,
    checklist: Checklist,
    contracts: Type.Array(
      Type.Object({
        ...figures,
        'carrier-name': Text,
        'contract-number': Type.String(),
        'sub-contract': Type.String(),
        roster: OneOf(CLOSING_ITEM_STATES),
        'open-roster-discrepancies': Type.Integer(),
        invoice: OneOf(CLOSING_ITEM_STATES),
        'open-invoice-discrepancies': Type.Integer(),
        invoices: Type.Optional(
          Type.Array(Type.Object({ 'file-id': Uuid, 'invoice-kind': OneOf(INVOICE_KINDS) }), {
            description: 'The files that count: of each kind the latest.',
          }),
        ),
        'draft-claims': Type.Integer({ description: 'Claims of the month that were not sent.' }),
      }),
    ),
  }),
)
const month = { 'company-tax-id': '12ABC34501DE35', 'reference-month': '2026-11' }

export const ChecklistResponse = Type.Object(
  { result: MonthToClose },
  {
    description: 'The month of the company.',
  },
)

export const Closing = Named(
  'Closing',
  Type.Object({
    'closing-id': Uuid,
    'company-tax-id': Cnpj,
    'company-name': Text,
    'reference-month': Month,
    status,
    acts: Type.Array(
      Type.Object({
        act: OneOf(CLOSING_ACTS),
        at: Timestamp,
        by: Type.String({ description: 'The operator.' }),
        reason: Nullable(reason),
        'open-items': Type.Optional(
          Type.Array(OneOf(CLOSING_ITEMS), { description: 'Of `closed`: what was not done.' }),
        ),
        figures: Type.Optional(
          Type.Array(Type.Object(figures), { description: 'Of `closed`: the invoices of its contracts.' }),
        ),
      }),
      { description: 'What was done with the month, the first first.' },
    ),
    'updated-at': Timestamp,
  }),
)

export const CloseBody = Closed(
  {
    'company-tax-id': CompanyTaxId,
    'reference-month': Month,
    reason: Type.Optional({ ...reason, description: 'Why it is closed although something is not done.' }),
  },
  { examples: [month] },
)
export type CloseInput = Static<typeof CloseBody>

export const ReopenBody = Closed({ reason }, { examples: [{ reason: 'Fatura reemitida pela operadora' }] })
