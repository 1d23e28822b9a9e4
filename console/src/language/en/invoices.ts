export const invoices = {
  title: 'Invoices',
} as const
