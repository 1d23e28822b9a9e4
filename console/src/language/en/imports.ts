export const imports = {
  title: 'Imports',
} as const
