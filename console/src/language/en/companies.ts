export const companies = {
  title: 'Companies',
} as const
