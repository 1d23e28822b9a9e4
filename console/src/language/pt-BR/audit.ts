import type { audit as english } from '../en/audit.ts'
import type { TextsOf } from '../texts-of.ts'

export const audit: TextsOf<typeof english> = {
  title: 'Auditoria',
}
