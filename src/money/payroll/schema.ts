import { type Static, Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import {
  DESTINATIONS,
  FINAL_LIMITS,
  PAYROLL_BASES,
  PAYROLL_EXPORT_KINDS,
  PAYROLL_KINDS,
  TAX_FIGURE_BASES,
  UNPAID_LEAVES,
} from '#kernel/broker-enums.ts'
import { finalCompensation } from './final-schema.ts'
import { DEDUCTION_PROBLEMS, LEAVE_PROBLEMS } from '../rules/deduction.ts'
import { ITEM_PROBLEMS } from '#registry/layouts/types.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
import {
  Cents,
  Closed,
  Cnpj,
  Code,
  Named,
  Nullable,
  OneOf,
  optional,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'

const event = (what: string) => Code(20, `The number that the company’s payroll has for ${what}.`, ['7611'])

const events = {
  primary: event('an employee’s own premium'),
  dependent: event('the premiums of the dependents'),
  coparticipation: event('what was used'),
}
const moreEvents = {
  refund: Nullable(
    event('amounts that are given back, which are written positive under it; null: they are written negative'),
  ),
  'by-product-type': Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,49}$' }), Closed(events), {
    maxProperties: 20,
    description: 'Other numbers for a type of products, such as `dental-insurance`.',
  }),
}
const layoutId = Type.String({
  pattern: '^[a-z0-9-]{1,36}$',
  description: 'A layout of the direction `payroll`; its latest version counts.',
  examples: ['payroll-csv'],
})
const settings = {
  basis: OneOf(PAYROLL_BASES, {
    description:
      '`closed-month`: what employees pay is deducted once the month of the charge is closed. `effective-date`: in the month of the cover, before ' +
      'the invoice, which corrects it in a later period; what the carrier charges too much is not deducted while it is contested. An export by effective date keeps the basis.',
  }),
  'first-month': Nullable({
    ...Month,
    description:
      'Of `effective-date`: the first month of cover that is deducted so. Charges that were closed before are not deducted again.',
  }),
  'payroll-day': Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description: 'The day of the month on which the payroll takes its deductions.',
    }),
  ),
  'unpaid-leave': Nullable(
    OneOf(UNPAID_LEAVES, {
      description:
        'What becomes of the deductions of who is on unpaid leave: the company bills them (`bill`), or they wait until the first export after the leave (`defer`).',
    }),
  ),
  'tax-figures-by': Nullable(
    OneOf(TAX_FIGURE_BASES, {
      description:
        'Of `effective-date`: whether yearly figures are what was charged for a month or what was deducted in it. A payroll specialist decides.',
    }),
  ),
  'final-limit': Nullable(
    OneOf(FINAL_LIMITS, {
      description:
        '`remuneration`: of an employee who leaves at most one month’s remuneration is deducted, less other compensations (CLT art. 477 § 5); the rest is billed. ' +
        'A lawyer confirms whether it concerns benefits. null: everything is deducted.',
    }),
  ),
}
const profileExample = {
  'layout-id': 'payroll-csv',
  events: { primary: '7611', dependent: '7612', coparticipation: '7613' },
}

/** How deductions are written for the payroll of a company. */
export const PayrollProfileBody = Closed(
  { 'layout-id': layoutId, events: Closed({ ...events, ...optional(moreEvents) }), ...optional(settings) },
  {
    examples: [
      profileExample,
      {
        ...profileExample,
        basis: 'effective-date',
        'first-month': '2027-01',
        'payroll-day': 15,
        'unpaid-leave': 'bill',
      },
    ],
  },
)
export type PayrollProfileInput = Static<typeof PayrollProfileBody>

export const PayrollProfile = Named(
  'PayrollProfile',
  Type.Object({
    'layout-id': layoutId,
    events: Type.Object({ ...events, ...moreEvents }),
    ...settings,
    'updated-at': Timestamp,
  }),
)
export const PayrollProfileResponse = ResultOf(PayrollProfile)

const PayrollLine = Named(
  'PayrollLine',
  Type.Object({
    'member-id': Uuid,
    name: Text,
    'employee-id': Nullable(Text),
    kind: OneOf(PAYROLL_KINDS),
    'product-type': Text,
    'origin-month': {
      ...Month,
      description:
        'The month of cover of a premium, and that of the file of co-participation. By closed month: the month of the charges.',
    },
    event: Nullable(Type.String({ description: 'null: the company has no payroll profile.' })),
    destination: OneOf(DESTINATIONS, {
      description: '`bill`: the company bills it, because the person is not on the payroll of the period.',
    }),
    amount: Cents('What is left to deduct: negative where earlier exports of the month deduct too much.'),
    exported: Cents('What earlier exports of the month have.'),
    held: Cents('What is not deducted while the carrier’s charge is contested.'),
  }),
)

const PayrollProblem = Named(
  'PayrollProblem',
  Type.Object({
    'member-id': Uuid,
    name: Text,
    code: OneOf([...DEDUCTION_PROBLEMS, ...LEAVE_PROBLEMS, ...ITEM_PROBLEMS], {
      description:
        '`price-table-missing`, `price-setting-missing`, `no-contribution-rule` and `no-coparticipation-share`: what the employee pays is not known. ' +
        '`unpaid-leave-unknown`: whether the payroll can deduct it is not known. The others: the layout cannot write the line.',
    }),
    column: Nullable(Type.String({ description: 'Of the layout.' })),
  }),
)

/** What an export of the month would have. */
export const PayrollPreview = Type.Object({
  result: Type.Array(PayrollLine),
  pagination: Type.Ref('Pagination'),
  totals: Named(
    'PayrollTotals',
    Type.Object({
      amount: Cents('Of the lines that the payroll deducts.'),
      'bill-amount': Cents('Of the lines that the company bills.'),
      held: Cents('Of all employees, those without a line as well.'),
      employees: Type.Integer(),
    }),
  ),
  problems: Type.Array(PayrollProblem, {
    description: 'Employees who cannot be exported: an export has to skip them, or what is missing is set.',
  }),
  'reopened-months': Type.Array(Month, {
    description: 'Of these months of cover nothing is exported until the month that was opened again is closed.',
  }),
  'deducted-without-charge': Type.Array(
    Named(
      'DeductedWithoutCharge',
      Type.Object({
        'member-id': Uuid,
        name: Text,
        kind: OneOf(PAYROLL_KINDS),
        'product-type': Text,
        'since-month': Month,
      }),
    ),
    { description: 'Deductions of three months and more that no closed month has a charge for.' },
  ),
})

export const payrollQuery = {
  'company-tax-id': CompanyTaxId,
  'reference-month': Month,
}

export const ExportQuery = Closed({
  'company-tax-id': CompanyTaxId,
  'reference-month': Type.Optional(Month),
  ...pageQuery,
})

export const CompanyExportQuery = Closed({ 'reference-month': Type.Optional(Month), ...pageQuery })

export const PayrollExportBody = Closed(
  {
    ...payrollQuery,
    'run-id': Type.Optional(
      Code(
        100,
        'A name of the client for the export: a repetition with the same one is answered with the same export.',
        ['2027-02-15'],
      ),
    ),
    kind: Type.Optional(
      OneOf(PAYROLL_EXPORT_KINDS, {
        default: 'period',
        description:
          '`leavers`: what the people in `leavers` still owe at the end of their employment, by effective date only.',
      }),
    ),
    leavers: Type.Optional(
      Type.Array(Closed({ 'member-id': Uuid, ...finalCompensation }), {
        minItems: 1,
        maxItems: 500,
        description: 'Of `kind` `leavers`: employees with a completed or scheduled exclusion that ends the employment.',
      }),
    ),
    skip: Type.Optional(
      Type.Array(Uuid, {
        maxItems: 10_000,
        uniqueItems: true,
        description: 'The `member-id`s of employees whom this export leaves out; a later one has them.',
      }),
    ),
  },
  { examples: [{ 'company-tax-id': '12ABC34501DE35', 'reference-month': '2026-11' }] },
)
export type PayrollExportInput = Static<typeof PayrollExportBody>

const exported = {
  'payroll-export-id': Uuid,
  'company-tax-id': Cnpj,
  'reference-month': Month,
  number: Type.Integer({ description: 'In the month, from 1. A later one has the difference only.' }),
  kind: OneOf(PAYROLL_EXPORT_KINDS),
  'run-id': Nullable(Text),
  employees: Type.Integer(),
  amount: Cents('Of the lines that the payroll deducts.'),
  'bill-amount': Cents('Of the lines that the company bills.'),
  'created-at': Timestamp,
}
const PayrollExport = Named(
  'PayrollExport',
  Type.Object({ ...exported, 'layout-id': Type.String(), 'layout-version': Type.Integer() }),
)
const CompanyPayrollExport = Named('CompanyPayrollExport', Type.Object(exported))
export type PayrollExportData = Static<typeof PayrollExport>
export const PayrollExportResponse = ResultOf(PayrollExport)
export const PayrollExportList = PageOf(PayrollExport)
export const CompanyPayrollExportList = PageOf(CompanyPayrollExport)
export const PayrollFileQuery = Closed({
  destination: Type.Optional(
    OneOf(DESTINATIONS, { default: 'payroll', description: '`bill`: the list of what the company bills.' }),
  ),
  format: Type.Optional(
    OneOf(['csv', 'xlsx'], { default: 'csv', description: 'Of the list of what the company bills.' }),
  ),
})
export const PayrollExportPath = Type.Object({
  payrollExportId: { ...Uuid, description: 'From the list of payroll exports.' },
})
