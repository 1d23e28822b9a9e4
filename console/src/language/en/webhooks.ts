export const webhooks = {
  title: 'Webhooks',
} as const
