export const hr = {
  people: 'People',
  pending: 'Pending',
  name: 'Name',
  cpf: 'CPF',
  benefits: 'Benefits',
  movement: 'Movement',
  product: 'Product',
  reason: 'Reason',
} as const
