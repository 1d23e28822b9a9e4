export const request = {
  title: 'Request',
} as const
