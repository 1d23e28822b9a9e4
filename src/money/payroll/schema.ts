import { type Static, Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { MISSING_SHARES } from '../rules/cost.ts'
import { PAYROLL_KINDS } from '#kernel/broker-enums.ts'
import { ITEM_PROBLEMS } from '#registry/layouts/types.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
import { Closed, Cnpj, Code, Named, Nullable, OneOf, pageQuery, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'

const event = (what: string) => Code(20, `The number that the company’s payroll has for ${what}.`, ['7611'])

const profile = {
  'layout-id': Type.String({
    pattern: '^[a-z0-9-]{1,36}$',
    description: 'A layout of the direction `payroll`; its latest version counts.',
    examples: ['payroll-csv'],
  }),
  events: Closed({
    primary: event('an employee’s own premium'),
    dependent: event('the premiums of the dependents'),
    coparticipation: event('what was used'),
  }),
}
const profileExample = {
  'layout-id': 'payroll-csv',
  events: { primary: '7611', dependent: '7612', coparticipation: '7613' },
}

/** How deductions are written for the payroll of a company. */
export const PayrollProfileBody = Closed(profile, { examples: [profileExample] })
export type PayrollProfileInput = Static<typeof PayrollProfileBody>

const PayrollProfile = Named('PayrollProfile', Type.Object({ ...profile, 'updated-at': Timestamp }))
export const PayrollProfileResponse = ResultOf(PayrollProfile)

const cents = (description: string) => Type.Integer({ description: `${description} In cents.` })

const PayrollLine = Named(
  'PayrollLine',
  Type.Object({
    'member-id': Uuid,
    name: Text,
    'employee-id': Nullable(Text),
    kind: OneOf(PAYROLL_KINDS),
    event: Nullable(Type.String({ description: 'null: the company has no payroll profile.' })),
    amount: cents('What is left to deduct: negative where earlier exports of the month deduct too much.'),
    exported: cents('What earlier exports of the month have.'),
  }),
)

const PayrollProblem = Named(
  'PayrollProblem',
  Type.Object({
    'member-id': Uuid,
    name: Text,
    code: OneOf([...MISSING_SHARES, ...ITEM_PROBLEMS], {
      description:
        '`no-contribution-rule` and `no-coparticipation-share`: what the employee pays is not known. The others: the layout cannot write the line.',
    }),
    column: Nullable(Type.String({ description: 'Of the layout.' })),
  }),
)

/** What an export of the month would have. */
export const PayrollPreview = Type.Object({
  result: Type.Array(PayrollLine),
  pagination: Type.Ref('Pagination'),
  totals: Named('PayrollTotals', Type.Object({ amount: cents('Of all lines.'), employees: Type.Integer() })),
  problems: Type.Array(PayrollProblem, {
    description: 'Employees who cannot be exported: an export has to skip them, or what is missing is set.',
  }),
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

export const PayrollExportBody = Closed(
  {
    ...payrollQuery,
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

const PayrollExport = Named(
  'PayrollExport',
  Type.Object({
    'payroll-export-id': Uuid,
    'company-tax-id': Cnpj,
    'reference-month': Month,
    number: Type.Integer({ description: 'In the month, from 1. A later one has the difference only.' }),
    'layout-id': Type.String(),
    'layout-version': Type.Integer(),
    employees: Type.Integer(),
    amount: cents('Of all lines.'),
    'created-at': Timestamp,
  }),
)
export type PayrollExportData = Static<typeof PayrollExport>
export const PayrollExportResponse = ResultOf(PayrollExport)
export const PayrollExportList = PageOf(PayrollExport)
export const PayrollExportPath = Type.Object({
  payrollExportId: { ...Uuid, description: 'From the list of payroll exports.' },
})
