export const operators = {
  title: 'Operators',
} as const
