import type { LayoutInput } from '../layout.ts'
import { filled } from './columns.ts'

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
} as const satisfies Readonly<Record<string, LayoutInput>>
