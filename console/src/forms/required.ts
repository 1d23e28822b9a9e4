/** The rules of @mantine/form for fields that must be filled. @param message of the catalogue. */
export function required<Field extends string>(
  fields: readonly Field[],
  message: string,
): Record<Field, (value: unknown) => string | null> {
  const rule = (value: unknown) =>
    value === null || value === undefined || (typeof value === 'string' && value.trim() === '') ? message : null
  return Object.fromEntries(fields.map((field) => [field, rule])) as Record<Field, typeof rule>
}
