import type { members as english } from '../en/members.ts'
import type { TextsOf } from '../texts-of.ts'

export const members: TextsOf<typeof english> = {
  title: 'Beneficiários',
}
