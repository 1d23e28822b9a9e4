import type { request as english } from '../en/request.ts'
import type { TextsOf } from '../texts-of.ts'

export const request: TextsOf<typeof english> = {
  title: 'Solicitação',
}
