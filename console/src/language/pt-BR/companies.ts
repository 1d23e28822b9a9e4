import type { companies as english } from '../en/companies.ts'
import type { TextsOf } from '../texts-of.ts'

export const companies: TextsOf<typeof english> = {
  title: 'Empresas',
}
