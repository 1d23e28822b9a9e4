import type { overview as english } from '../en/overview.ts'
import type { TextsOf } from '../texts-of.ts'

export const overview: TextsOf<typeof english> = {
  title: 'Visão geral',
}
