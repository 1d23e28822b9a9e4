import type { webhooks as english } from '../en/webhooks.ts'
import type { TextsOf } from '../texts-of.ts'

export const webhooks: TextsOf<typeof english> = {
  title: 'Webhooks',
}
