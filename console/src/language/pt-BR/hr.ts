import type { hr as english } from '../en/hr.ts'
import type { TextsOf } from '../texts-of.ts'

export const hr: TextsOf<typeof english> = {
  people: 'Pessoas',
  pending: 'Pendências',
  name: 'Nome',
  cpf: 'CPF',
  benefits: 'Benefícios',
  movement: 'Movimentação',
  product: 'Produto',
  reason: 'Motivo',
}
