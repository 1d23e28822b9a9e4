import type { operators as english } from '../en/operators.ts'
import type { TextsOf } from '../texts-of.ts'

export const operators: TextsOf<typeof english> = {
  title: 'Operadores',
}
