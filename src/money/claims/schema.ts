import { searchText } from '#platform/http/search-parameter.ts'
import { type Static, Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { MAX_CLAIM_LINES } from '../rules/claim.ts'
import { CLAIM_STATUSES } from '#kernel/broker-enums.ts'
import { INVOICE_CLASSES } from '#kernel/reconciliation.ts'
import { PageOf } from '#platform/http/page.ts'
import {
  Closed,
  Cnpj,
  Code,
  Named,
  noControls,
  Nullable,
  OneOf,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { filters } from '#platform/http/filters.ts'

export const ClaimPath = Type.Object({ claimId: { ...Uuid, description: 'From the list of claims.' } })

export const ClaimQuery = Closed({
  'carrier-id': filters.carrier,
  'contract-id': filters.contract,
  'company-tax-id': filters.company,
  'reference-month': Type.Optional({ ...Month, description: 'Only those of invoices of this month, `YYYY-MM`.' }),
  status: Type.Optional(OneOf(CLAIM_STATUSES, { description: 'Only those with this status.' })),
  q: Type.Optional({
    ...searchText(''),
    description:
      'A part of the carrier’s protocol or name, without case and accents, or the month, as `2026-11` or `11/2026`; at least 3 characters.',
  }),
  ...pageQuery,
})

const protocol = Code(60, 'Under which the carrier has the claim.', ['2026-778812'])
const note = Type.String({ minLength: 1, maxLength: 2000, ...noControls, description: 'For operators.' })
const status = OneOf(CLAIM_STATUSES, {
  description: '`credited`: later invoices have a credit of each line, to the cent. That follows by itself.',
})

const summary = {
  'claim-id': Uuid,
  'company-tax-id': Cnpj,
  'company-name': Text,
  'carrier-name': Text,
  'contract-id': Uuid,
  'contract-number': Type.String(),
  'sub-contract': Type.String(),
  'reconciliation-id': Uuid,
  'reference-month': { ...Month, description: 'Of the invoice.' },
  status,
  'carrier-protocol': Nullable(protocol),
  note: Nullable(note),
  total: Type.Integer({ description: 'What is claimed, in cents.' }),
  'credited-total': Type.Integer({ description: 'Of that, what later invoices credited, in cents.' }),
  'sent-at': Nullable(Timestamp),
  'created-by': Type.String(),
  'created-at': Timestamp,
  'updated-at': Timestamp,
}

const ListedClaim = Named('ListedClaim', Type.Object(summary))
export const Claim = Named(
  'Claim',
  Type.Object({
    ...summary,
    lines: Type.Array(
      Named(
        'ClaimLine',
        Type.Object({
          'discrepancy-id': Uuid,
          class: OneOf(INVOICE_CLASSES),
          'benefit-id': Nullable(Uuid),
          'member-name': Nullable(Type.String({ description: 'As here, or as the carrier has it.' })),
          'line-number': Nullable(Type.Integer({ description: 'Of the invoice.' })),
          amount: Type.Integer({ description: 'Cents.' }),
          'credited-in': Nullable({ ...Month, description: 'The month of the invoice that credits it, `YYYY-MM`.' }),
        }),
      ),
    ),
  }),
)

const Cents = (description: string) => Type.Integer({ description })

export const ClaimList = Type.Object(
  {
    ...PageOf(ListedClaim).properties,
    totals: Named(
      'ClaimTotals',
      Type.Object(
        {
          total: Cents('The sum of what is claimed, in cents.'),
          'credited-total': Cents('Of that, what later invoices credited, in cents.'),
          'open-total': Cents('What was sent and waits for a credit, in cents.'),
        },
        { description: 'Of all claims that the filters select, not of the page alone.' },
      ),
    ),
  },
  {
    description: 'A page of claims.',
  },
)

export const ClaimBody = Closed(
  {
    'reconciliation-id': { ...Uuid, description: 'Of an invoice.' },
    'discrepancy-ids': Type.Array(Uuid, {
      minItems: 1,
      maxItems: MAX_CLAIM_LINES,
      uniqueItems: true,
      description: 'What is charged too much: open or explained discrepancies with a positive `amount`.',
    }),
    note: Type.Optional(note),
  },
  {
    examples: [
      {
        'reconciliation-id': '01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12',
        'discrepancy-ids': ['01995e0d-3c40-7c51-8f6a-7b8c9d0e1f23'],
      },
    ],
  },
)

export type ClaimInput = Static<typeof ClaimBody>

export const ClaimStepBody = Closed(
  {
    status: OneOf(['sent', 'accepted', 'refused'] as const, {
      description: 'A draft is sent; one that was sent is accepted or refused.',
    }),
    'carrier-protocol': Type.Optional(protocol),
    note: Type.Optional(note),
  },
  { examples: [{ status: 'sent', 'carrier-protocol': '2026-778812' }] },
)
export type ClaimStep = Static<typeof ClaimStepBody>
