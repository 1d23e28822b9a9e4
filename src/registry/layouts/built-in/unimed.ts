import type { LayoutInput } from '../layout.ts'

/** Unimed's invoice as text. The place of the amount is counted from a cell. */
export const unimedInvoice: Readonly<Record<'unimed-invoice', LayoutInput>> = {
  'unimed-invoice': {
    name: 'Unimed: fatura em TXT',
    direction: 'invoice',
    source:
      'Unimed’s invoice with semicolons, records H, 1 and 9: places as public code that reads it has them, for one of the Unimeds. Credits and debits ' +
      'beside the amount are not read.',
    definition: {
      format: 'csv',
      encoding: 'windows-1252',
      records: [
        { name: 'header', match: { 'first-cell': 'H' }, columns: [{ heading: 'record', drop: true }] },
        {
          name: 'person',
          match: { 'first-cell': '1' },
          block: { cell: '2', 'digits-after': 8 },
          columns: [
            { heading: 'record', drop: true },
            { heading: 'card', target: 'benefit.card-number', required: true },
            { heading: 'beneficiary', target: 'person.name', required: true },
            { heading: 'primary', target: 'primary.name' },
            { heading: 'description', offset: 3, target: 'invoice.description' },
            { heading: 'amount', offset: 4, target: 'invoice.amount', format: 'money:cents', required: true },
          ],
        },
        { name: 'trailer', match: { 'first-cell': '9' }, columns: [{ heading: 'record', drop: true }] },
      ],
    },
  },
}
