import type { invoices as english } from '../en/invoices.ts'
import type { TextsOf } from '../texts-of.ts'

export const invoices: TextsOf<typeof english> = {
  title: 'Faturas',
}
