import { IMPORT_STATUSES } from '#kernel/enums.ts'
import { Type } from 'typebox'
import { importTemplate } from '../rules/import-columns.ts'
import { IMPORT_WARNINGS } from '#kernel/import-offenses.ts'
import { IMPORT_OFFENSES, OFFENSES } from '#kernel/offenses.ts'
import { MappedHeadings } from './column-profile-schema.ts'
import { Cnpj, Named, Nullable, OffenseMessages, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { SheetsNotRead, SheetsRead } from '#platform/http/table-types.ts'
import { explainWarnings, StartDateOfWarning, WarningMessage } from '#platform/http/warning-schemas.ts'

const offenses = [...OFFENSES, ...IMPORT_OFFENSES].sort()

/** An import, while it runs and afterwards. */
export const ImportResponse = Named(
  'Import',
  Type.Object({
    'import-id': Uuid,
    status: OneOf(IMPORT_STATUSES),
    'dry-run': Type.Boolean(),
    lines: Type.Integer({ description: 'Judged so far; the header and blank lines do not count.' }),
    accepted: Type.Integer({ description: 'Of these, stored; in a dry run those that would be.' }),
    rejected: Type.Integer(),
    'created-at': Timestamp,
    'finished-at': Nullable(Timestamp),
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'In the file, from 1.' }),
        offenses: Type.Array(Type.Unsafe<string>({ type: 'string', enum: offenses })),
        'offense-details': OffenseMessages,
      }),
      { description: 'The first 1,000; all of them at `.../error`.' },
    ),
    'column-profile': Type.Optional(
      Type.Object(
        { 'company-tax-id': Cnpj, columns: MappedHeadings },
        {
          description:
            'The headings of the file to which the column profile has given a column; absent when there are none.',
        },
      ),
    ),
    'sheets-read': Type.Optional(SheetsRead),
    'sheets-not-read': Type.Optional(SheetsNotRead),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          warning: OneOf(IMPORT_WARNINGS),
          field: Type.String({
            description: 'As the header, or a line of NDJSON, names it; `start-date` for `starts-with-primary`.',
          }),
          line: Type.Optional(Type.Integer({ description: 'The line that it concerns; absent for a column.' })),
          cell: Type.Optional(Type.String({ description: 'Of `cell-error`: the address, such as `C17`.' })),
          'start-date': Type.Optional(StartDateOfWarning),
          message: WarningMessage,
        }),
        {
          description:
            '`unknown-column`: no import has this column, which is ignored. `leading-zeros-restored`: a spreadsheet had removed the leading zeros ' +
            'of a CPF or CNPJ, whose check digits prove the whole one, or of a postal code; the whole one is taken. `amount-rounded`: the workbook shows an amount with fewer decimals than it has, and the ' +
            'shown one is taken. `cell-error`: the cell of a workbook has an error such as `#N/A`, or a formula ' +
            'that was not computed; the line is refused. `hidden-row`: the row is hidden in the sheet `field`, and is read. Up to 100 of each. ' +
            `${explainWarnings(['suspicious-text', 'starts-with-primary'])} The first 1,000. Absent when there are none.`,
        },
      ),
    ),
  }),
)

const line = {
  'company-tax-id': '12ABC34501DE35',
  'beneficiary-type': 'primary',
  'tax-id': '52998224725',
  name: 'Conceição Müller',
  'mothers-name': 'Ana Müller',
  'date-of-birth': '1980-02-29',
  gender: 'female',
  'product-name': 'Saúde Essencial',
  'start-date': '2024-03-01',
  'card-number': '0045 1120 7788',
}

const textOf = (...examples: string[]) => ({ schema: { type: 'string', examples } })

const portuguese = ['12ABC34501DE35', 'titular', '52998224725', 'Conceição Müller', 'Ana Müller', '29/02/1980', 'F']
const portugueseLine = [...portuguese, '5.230,00', 'Saúde Essencial', '01/03/2024']
const portugueseHeader =
  'CNPJ da empresa;Tipo de beneficiário;CPF;Nome;Nome da mãe;Data de nascimento;Sexo;Salário;Produto;Início da vigência'

/** The file as CSV: a header and one benefit a line. */
export const csv = textOf(
  `${Object.keys(line).join(';')}\n${Object.values(line).join(';')}\n`,
  `${portugueseHeader}\n${portugueseLine.join(';')}\n`,
)

/** The file as NDJSON: one benefit a line. */
export const ndjson = textOf(`${JSON.stringify(line)}\n`)

/** The header of a CSV. */
export const template = textOf(importTemplate('pt-BR'), importTemplate('en'))

const badLine = { ...line, gender: 'x' }

/** Rejected lines, one a line. */
export const errorLines = textOf(
  `${JSON.stringify({
    line: 3,
    offenses: ['invalid-gender'],
    'offense-details': [{ code: 'invalid-gender', field: 'gender' }],
    content: JSON.stringify(badLine),
  })}\n`,
)

/** Rejected lines of a CSV under their own header. */
export const errorCsv = textOf(
  `${Object.keys(line).join(';')};offenses;Erro\n${Object.values(badLine).join(';')};invalid-gender;O campo “Sexo” não é válido. Informe feminino ou masculino.\n`,
)
