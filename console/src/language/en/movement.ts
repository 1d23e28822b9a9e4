export const movement = {
  title: 'Movement',
} as const
