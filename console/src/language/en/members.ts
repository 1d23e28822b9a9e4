export const members = {
  title: 'Members',
} as const
