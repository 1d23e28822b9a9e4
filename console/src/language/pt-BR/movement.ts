import type { movement as english } from '../en/movement.ts'
import type { TextsOf } from '../texts-of.ts'

export const movement: TextsOf<typeof english> = {
  title: 'Movimentação',
}
