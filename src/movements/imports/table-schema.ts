import { explainWarnings } from '#platform/http/warning-schemas.ts'
import { type Static, Type } from 'typebox'
import { START_OPTIONS } from '#kernel/enums.ts'
import { TABLE_MOVEMENTS } from '../rules/table-columns.ts'
import { Closed, Named, Nullable, OneOf } from '#platform/http/schemas.ts'
import { SheetParameter, SheetsNotRead, SheetsRead } from '#platform/http/table-types.ts'
import { TEMPLATE_LANGUAGES } from '../rules/import-columns.ts'

const ROW_ERRORS = ['malformed-line', 'cell-error', 'other-company'] as const

const HeaderRowParameter = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 10,
    description:
      'The row with the headings. Without it the first of ten that has all required columns, else the one that most likely is it.',
  }),
)

export const MovementParameter = OneOf(TABLE_MOVEMENTS, { description: 'What the table asks for.' })
const CompanyParameter = Type.String({
  format: 'cnpj',
  description: 'The company, whose column profile says what its own headings and words stand for.',
})

export const TableQuery = Closed({
  movement: MovementParameter,
  'company-tax-id': CompanyParameter,
  'start-option': Type.Optional(OneOf(START_OPTIONS, { description: 'Of inclusions: that of the rows without one.' })),
  sheet: SheetParameter,
  'header-row': HeaderRowParameter,
})

export const ImportTableQuery = Closed({
  'company-tax-id': Type.Optional(CompanyParameter),
  sheet: SheetParameter,
  'header-row': HeaderRowParameter,
})

export const LanguageParameter = OneOf(TEMPLATE_LANGUAGES, {
  default: TEMPLATE_LANGUAGES[0],
  description: 'Of the column names.',
})

const column = Type.Object({
  heading: Type.String({ description: 'As the file has it.', examples: ['Nome do funcionário'] }),
  field: Nullable(
    Type.String({ description: 'The column that it stands for; null: it is ignored.', examples: ['name'] }),
  ),
  proposed: Nullable(
    Type.String({ description: 'A column that it may stand for, to be confirmed in the column profile.' }),
  ),
})
export type TableColumn = Static<typeof column>

const content = Type.Object({
  sheet: Nullable(Type.String({ description: 'The sheet that was read; null: CSV.' })),
  sheets: Type.Array(Type.String(), { description: 'The visible sheets of the workbook.' }),
  'sheets-read': Type.Optional(SheetsRead),
  'sheets-not-read': Type.Optional(SheetsNotRead),
  'header-row': Type.Integer({ description: 'The row with the headings.', examples: [1] }),
  columns: Type.Array(column),
  missing: Type.Array(Type.String(), { description: 'Required columns that no heading stands for.' }),
  'total-rows': Type.Integer({ description: 'Under the header, without blank ones.' }),
  rows: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'In the file.' }),
      cells: Type.Array(Type.String(), { description: 'In the order of `columns`.' }),
    }),
  ),
  'row-errors': Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'In the file.' }),
      error: OneOf(ROW_ERRORS, {
        description:
          '`malformed-line`: another number of cells than the header, or quotes that do not close. `cell-error`: a cell has an error instead of a value. ' +
          '`other-company`: the row names another company.',
      }),
      cell: Type.Optional(Type.String({ description: 'Of `cell-error`: the address, such as `C17`.' })),
    }),
    { description: 'Rows that are not in the batch.' },
  ),
  'row-warnings': Type.Optional(
    Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'In the file.' }),
        warning: OneOf(['suspicious-text'], { description: explainWarnings(['suspicious-text']) }),
        field: Type.String({ description: 'As the header names it.' }),
      }),
      { description: 'Of rows that are in the batch, the first 100. Absent when there is none.' },
    ),
  ),
  'unknown-values': Type.Array(
    Type.Object({
      field: Type.String({ description: 'The column.', examples: ['dependent-type'] }),
      value: Type.String({ description: 'As the file has it.', examples: ['Agregado'] }),
      lines: Type.Integer({ description: 'In how many rows.' }),
    }),
    { description: 'Words that are no value of their column, up to 50: a column profile may say what they stand for.' },
  ),
  batch: Nullable(
    Type.Object(
      { 'company-tax-id': Type.String(), members: Type.Array(Type.Unsafe<object>({ type: 'object' })) },
      {
        description:
          'The body of the request of all rows without `row-errors`; null while a required column is missing.',
      },
    ),
  ),
  'member-lines': Type.Array(Type.Array(Type.Integer()), {
    description: 'The lines of each member of the batch: lines of one person in several products are one member.',
  }),
})
export type TableContent = Static<typeof content>

const table = {
  sheet: 'Vidas',
  sheets: ['Vidas'],
  'header-row': 1,
  columns: [
    { heading: 'CPF', field: 'tax-id', proposed: null },
    { heading: 'Funcionário', field: null, proposed: 'name' },
  ],
  missing: ['name'],
  'total-rows': 1,
  rows: [{ line: 2, cells: ['52998224725', 'Conceição Müller'] }],
  'row-errors': [],
  'unknown-values': [],
  batch: null,
  'member-lines': [],
}

export const tableExample = { result: table }

export const TableResponse = Named('Table', Type.Object({ result: content }))
