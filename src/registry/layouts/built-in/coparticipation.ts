import type { LayoutInput } from '../layout.ts'
import { between, read } from './columns.ts'

/* What people pay for what they use. Providers, procedures and days of use are health data: their columns are not read. */

const used = read([
  ['tipo', null],
  ['data de utilização', null],
  ['código do usuário', 'benefit.dependent-code'],
  ['beneficiário', 'person.name'],
  ['prestador', null],
  ['meio', null],
  ['CNPJ do prestador', null],
  ['serviço', null],
  ['número SR', null],
  ['valor original', null],
  ['reembolso', null],
  ['participação', null],
  ['total da coparticipação', 'coparticipation.amount', { format: 'money:comma', required: true }],
  ['documento', null],
  ['procedimento', null],
  ['sequência', null],
  ['certificado', 'benefit.certificate'],
  ['matrícula especial', 'benefit.special-registration'],
  ['subfatura', 'contract.sub-contract'],
])

const company = read(
  [
    'tipo',
    'empresa',
    'CNPJ',
    'moeda',
    'titular',
    'CPF',
    'componente',
    'matrícula',
    'início',
    'fim',
    'emissão',
    'matrícula especial',
    'subfatura',
  ].map((heading) => [heading, null] as const),
)

export const coparticipation: Readonly<Record<'bradesco-coparticipation' | 'fatucopa', LayoutInput>> = {
  'bradesco-coparticipation': {
    name: 'Bradesco Saúde: coparticipação em CSV',
    direction: 'coparticipation',
    source:
      'Bradesco Saúde’s co-participation, a spreadsheet of the record types 01 and 02 saved as CSV: columns as public code that reads it has them. ' +
      'Only the total of a person is read.',
    definition: {
      format: 'csv',
      encoding: 'windows-1252',
      records: [
        { name: 'primary', match: { 'first-cell': '01' }, columns: company },
        { name: 'primary-number', match: { 'first-cell': '1' }, columns: company },
        { name: 'use', match: { 'first-cell': '02' }, columns: used },
        { name: 'use-number', match: { 'first-cell': '2' }, columns: used },
      ],
    },
  },
  fatucopa: {
    name: 'SulAmérica FATUCOPA: coparticipação, 182 posições',
    direction: 'coparticipation',
    source:
      'SulAmérica FATUCOPA, 182 characters: positions as public code that reads it has them. The decimals of the amount are not stated there, two are ' +
      'assumed. Only the amount of a person is read.',
    definition: {
      format: 'fixed-width',
      'record-length': 182,
      'skip-first-lines': 1,
      records: [
        {
          name: 'use',
          columns: [
            between(19, 50, 'person.name'),
            between(57, 68, 'person.tax-id'),
            between(69, 75, 'coparticipation.reference-month', { format: 'date:MM/yyyy' }),
            { heading: 'sign', ...between(76, 76, null) },
            between(77, 91, 'coparticipation.amount', {
              format: 'money:cents',
              sign: { column: 'sign', 'negative-when': ['-'] },
              required: true,
            }),
            between(92, 96, 'contract.contract-number'),
            between(97, 106, 'person.date-of-birth', { format: 'date:dd/MM/yyyy' }),
            between(122, 153, 'primary.name'),
            between(154, 161, 'registration.employee-id'),
          ],
        },
      ],
    },
  },
}
