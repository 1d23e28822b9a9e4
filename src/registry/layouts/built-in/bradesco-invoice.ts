import type { LayoutInput } from '../layout.ts'
import { between } from './columns.ts'

const type = (equals: string) => ({ at: 1, length: 1, equals }) as const
const day = { format: 'date:ddMMyyyy' } as const

const entryTypes = {
  '': 'monthly',
  IM: 'inclusion',
  IR: 'inclusion-retroactive',
  RM: 'reactivation',
  RR: 'reactivation-retroactive',
  TM: 'transfer',
  TR: 'transfer-retroactive',
  AM: 'alteration',
  AR: 'alteration-retroactive',
  AC: 'adjustment-debit',
  AD: 'adjustment-credit',
  RS: 'claims-recovery',
  CM: 'cancellation',
  CR: 'cancellation-retroactive',
} as const

/** Amounts have no sign of their own: entry codes from 50 on are credits. */
const amount = {
  format: 'money:cents',
  sign: { column: 'entry-code', 'negative-when': Array.from({ length: 50 }, (_, index) => String(index + 50)) },
} as const

/** Bradesco Saúde's invoice. */
export const bradescoInvoice: Readonly<Record<'bradesco-invoice', LayoutInput>> = {
  'bradesco-invoice': {
    name: 'Bradesco Saúde: fatura técnica, 180 posições',
    direction: 'invoice',
    source:
      'Bradesco Saúde “fatura técnica”, 180 characters: positions as public code that reads it has them; the rule of the sign gave the totals of a real ' +
      'file to the cent. The carrier’s list of entry codes was not found.',
    definition: {
      format: 'fixed-width',
      'record-length': 180,
      records: [
        {
          name: 'header',
          match: type('1'),
          columns: [
            between(73, 78, 'contract.contract-number'),
            between(117, 122, 'invoice.reference-month', { format: 'date:yyyyMM' }),
          ],
        },
        { name: 'sub-invoice', match: type('2'), columns: [between(2, 42, null)] },
        {
          name: 'person',
          match: type('3'),
          columns: [
            between(2, 5, 'contract.sub-contract'),
            between(6, 12, 'benefit.certificate', { required: true }),
            between(13, 14, 'benefit.dependent-code', { required: true }),
            between(15, 49, 'person.name'),
            between(54, 61, 'person.date-of-birth', day),
            between(65, 68, 'plan.carrier-plan-code'),
            between(69, 76, 'benefit.start-date', day),
            between(77, 78, 'invoice.entry-type', { map: entryTypes }),
            between(79, 84, 'invoice.entry-month', { format: 'date:MMyyyy' }),
            between(85, 99, 'invoice.amount', { ...amount, required: true }),
            between(100, 114, 'invoice.employee-amount', amount),
            { heading: 'entry-code', at: 115, length: 2, target: 'invoice.entry-code' },
            between(137, 148, 'registration.employee-id'),
          ],
        },
        {
          name: 'total',
          match: { at: 2, length: 8, equals: '9999(TS)' },
          columns: [between(65, 79, 'invoice.total', { format: 'money:cents' })],
        },
        {
          name: 'sub-invoice-total',
          match: { at: 6, length: 4, equals: '(TS)' },
          columns: [
            between(2, 5, 'contract.sub-contract'),
            between(65, 79, 'invoice.total', { format: 'money:cents' }),
          ],
        },
        { name: 'sub-invoice-trailer', match: type('4'), columns: [between(2, 94, null)] },
        { name: 'message', match: type('5'), columns: [between(2, 180, null)] },
      ],
    },
  },
}
