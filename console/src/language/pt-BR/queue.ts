import type { queue as english } from '../en/queue.ts'
import type { TextsOf } from '../texts-of.ts'

export const queue: TextsOf<typeof english> = {
  title: 'Fila',
  columns: {
    name: 'Nome',
    taxId: 'CPF',
  },
}
