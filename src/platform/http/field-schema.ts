import type { Fields, JsonSchema } from '#kernel/fields.ts'
import { englishOf } from '#kernel/texts/messages.ts'

/** Descriptions of fields, in place of their rules. */
export type FieldDescriptions = Readonly<Record<string, string>>

/** Descriptions of fields that are another name of one. */
const aliases: FieldDescriptions = {
  email: 'The same as `email-private`.',
  'monthly-salary': 'The same as `salary`, in cents.',
}

/** The JSON Schema of an object with these fields. */
export function objectSchema(fields: Fields, descriptions: FieldDescriptions, options: JsonSchema): JsonSchema {
  const entries = Object.entries(fields)
  const needed = entries.filter(([, { presence }]) => presence === 'required').map(([key]) => key)
  const properties = entries.map(([key, { presence, schema, optionalSchema, rule }]) => {
    const description = descriptions[key] ?? aliases[key] ?? englishOf(rule)
    return [key, { ...(presence === 'optional' ? optionalSchema : schema), description }]
  })
  return {
    type: 'object',
    ...(needed.length > 0 ? { required: needed } : {}),
    properties: Object.fromEntries(properties),
    ...options,
  }
}
