import { Type } from 'typebox'
import {
  COMPANY_CLASSES,
  COMPANY_RECONCILIATION_STATUSES,
  DISCREPANCY_STATUSES,
  EXPLANATIONS,
  RECONCILIATION_KINDS,
} from '#kernel/reconciliation.ts'
import { filters, several } from '#platform/http/filters.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, Cnpj, Cpf, Named, Nullable, OneOf, pageQuery, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { updatedSinceQuery } from '#platform/http/updated-since.ts'
import { InvoiceKindField, ReferenceMonth } from '../carrier-files/schema.ts'
import { Cents, countsOf, discrepancyFields, reconciliationFields } from './schema.ts'

const comparison = {
  kind: OneOf(RECONCILIATION_KINDS, { description: '`invoice`: only for clients that see money.' }),
  'reference-month': ReferenceMonth,
  'company-tax-id': Cnpj,
}

const CompanyReconciliation = Named(
  'CompanyReconciliation',
  Type.Object({
    'reconciliation-id': Uuid,
    ...comparison,
    'invoice-kind': InvoiceKindField,
    'company-name': Type.String(),
    'carrier-name': Type.String(),
    'as-of': reconciliationFields['as-of'],
    status: OneOf(COMPANY_RECONCILIATION_STATUSES, { description: '`closed` with its month.' }),
    ...reconciliationFields.totals,
    counts: countsOf('CompanyDiscrepancyCount', COMPANY_CLASSES),
    'computed-at': Timestamp,
  }),
)

export const CompanyReconciliationList = PageOf(CompanyReconciliation, 'A page of comparisons.')

const CompanyDiscrepancy = Named(
  'CompanyDiscrepancy',
  Type.Object({
    'discrepancy-id': Uuid,
    ...comparison,
    'carrier-name': Type.String(),
    class: OneOf(COMPANY_CLASSES),
    status: OneOf(DISCREPANCY_STATUSES),
    explanation: Nullable(
      OneOf(EXPLANATIONS, { description: 'Why it is probably none; `by-hand`: the broker says so.' }),
    ),
    expected: discrepancyFields.expected,
    found: discrepancyFields.found,
    amount: Nullable({ ...Cents, description: 'Of an invoice: charged too much, in cents; negative: too little.' }),
    days: discrepancyFields.days,
    'cover-month': discrepancyFields['cover-month'],
    'member-id': Nullable({ ...Uuid, description: 'Of the person in this company, if known here.' }),
    'member-name': discrepancyFields['member-name'],
    'member-tax-id': Nullable(Cpf),
    'product-name': Nullable(Type.String()),
    'request-id': discrepancyFields['request-id'],
    'updated-at': Timestamp,
  }),
)

export const CompanyDiscrepancyList = PageOf(CompanyDiscrepancy, 'A page of discrepancies.')

const ofComparison = {
  'company-tax-id': filters.company,
  kind: Type.Optional(OneOf(RECONCILIATION_KINDS, { description: 'Default: both kinds.' })),
  'reference-month': Type.Optional(ReferenceMonth),
}

export const CompanyReconciliationQuery = Closed({
  ...ofComparison,
  status: Type.Optional(OneOf(COMPANY_RECONCILIATION_STATUSES, { description: 'Default: every status.' })),
  ...pageQuery,
})

export const CompanyDiscrepancyQuery = Closed({
  ...ofComparison,
  class: Type.Optional(OneOf(COMPANY_CLASSES, { description: 'Default: every class.' })),
  status: several(DISCREPANCY_STATUSES, 'Default: every status.'),
  'member-tax-id': Type.Optional(
    Type.String({ format: 'cpf', description: 'CPF, formatted or not: only of this person.' }),
  ),
  ...updatedSinceQuery,
  ...pageQuery,
})
