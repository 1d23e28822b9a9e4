import type { imports as english } from '../en/imports.ts'
import type { TextsOf } from '../texts-of.ts'

export const imports: TextsOf<typeof english> = {
  title: 'Importações',
}
