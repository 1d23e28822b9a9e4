import type { LayoutInput } from '../layout.ts'
import { filled } from './columns.ts'

const billed = [
  {
    name: 'bill',
    columns: filled([
      ['Nome', 'person.name', { required: true }],
      ['CPF', 'person.tax-id', { required: true }],
      ['Matrícula', 'registration.employee-id'],
      ['Competência da folha', 'payroll.reference-month', { format: 'date:MM/yyyy' }],
      ['Mês de origem', 'payroll.origin-month', { format: 'date:MM/yyyy' }],
      ['Tipo', 'payroll.kind'],
      ['Valor', 'payroll.amount', { format: 'money:comma' }],
    ]),
  },
]
const bill = (format: string, definition: LayoutInput['definition']): LayoutInput => ({
  name: `Deductions that the company bills as ${format}`,
  direction: 'payroll',
  source: 'What a bill needs: name, CPF, months and amount.',
  definition,
})

/** Deductions of employees, for payrolls that import a spreadsheet. */
export const payroll = {
  'payroll-csv': {
    name: 'Payroll deductions as CSV',
    direction: 'payroll',
    source: 'The columns that payrolls import: registration, CPF, event and amount.',
    definition: {
      format: 'csv',
      'header-lines': ['headings'],
      records: [
        {
          name: 'deduction',
          columns: filled([
            ['Matrícula', 'registration.employee-id', { required: true }],
            ['CPF', 'person.tax-id', { required: true }],
            ['Competência', 'payroll.reference-month', { format: 'date:MMyyyy' }],
            ['Evento', 'payroll.event', { required: true }],
            ['Valor', 'payroll.amount', { format: 'money:comma' }],
          ]),
        },
      ],
    },
  },
  'payroll-bill-csv': bill('CSV', { format: 'csv', 'header-lines': ['headings'], records: billed }),
  'payroll-bill-xlsx': bill('XLSX', { format: 'xlsx', records: billed }),
} as const satisfies Readonly<Record<string, LayoutInput>>
