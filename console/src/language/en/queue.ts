export const queue = {
  title: 'Queue',
  columns: {
    name: 'Name',
    taxId: 'CPF',
  },
} as const
