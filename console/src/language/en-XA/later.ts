import { later as english } from '../en/later.ts'
import type { TextsOf } from '../texts-of.ts'
import { translate } from './catalogue.ts'

export const later: TextsOf<typeof english> = translate(english)
