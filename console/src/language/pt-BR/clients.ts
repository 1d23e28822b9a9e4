import type { clients as english } from '../en/clients.ts'
import type { TextsOf } from '../texts-of.ts'

export const clients: TextsOf<typeof english> = {
  title: 'Clientes',
}
