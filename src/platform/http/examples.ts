import texts from '../../../texts/examples.json' with { type: 'json' }

/** Values by the name of their field, and by that of the schema or the field that has it where they differ: all tell of the same people, company and contract. */
const exampleValues: Readonly<Record<string, unknown>> = texts

interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly examples?: readonly unknown[]
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

type Referred = (reference: string) => Schema

/**
 * An example that a schema accepts: optional fields are left out, and what may be null is null unless it is an object or has a value.
 * @param referred the schema of a `$ref`. @param owner the name of the schema, or of the field that has it.
 */
export function exampleOf(schema: Schema, referred: Referred, owner = 'response'): unknown {
  const { $ref, type, format, allOf, anyOf, items, properties, required = [], examples = [] } = schema
  const given = schema.const ?? examples[0] ?? schema.enum?.[0]
  if (given !== undefined) return given
  if ($ref !== undefined) return exampleOf(referred($ref), referred, owner)
  if (allOf !== undefined) {
    return Object.assign({}, ...allOf.map((part) => exampleOf(part, referred, owner))) as unknown
  }
  if (anyOf !== undefined) {
    const isNullable = anyOf.some((one) => one.type === 'null')
    const shown = anyOf.find((one) => !isNullable || one.type === 'object' || one.$ref !== undefined)
    const example = shown === undefined ? null : exampleOf(shown, referred, owner)
    return isNullable && typeof example !== 'object' ? null : example
  }
  if (type === 'array') return items === undefined ? [] : [exampleOf(items, referred, owner)]
  if (type === 'object') {
    return Object.fromEntries(
      required.map((name) => {
        const field = properties?.[name] ?? {}
        const known = [`${schema.title ?? owner}.${name}`, name].find(
          (key) => key in exampleValues && isOf(field, exampleValues[key], referred),
        )
        return [name, known === undefined ? exampleOf(field, referred, name) : exampleValues[known]]
      }),
    )
  }
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  return format === 'date' ? '2026-12-01' : format === 'date-time' ? '2026-11-21T13:05:09.120Z' : 'Aurora'
}

/** Whether a value is of the type of a schema, and in its set. */
function isOf(schema: Schema, value: unknown, referred: Referred): boolean {
  const { $ref, type, format, const: only, enum: set, allOf, anyOf } = schema
  if ($ref !== undefined) return isOf(referred($ref), value, referred)
  if (anyOf !== undefined) return anyOf.some((part) => isOf(part, value, referred))
  if (only !== undefined || set !== undefined) return [only, ...(set ?? [])].includes(value)
  if (allOf !== undefined || (format === 'date-time' && !String(value).includes('T'))) return false
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return type === found || (type === 'integer' && Number.isSafeInteger(value))
}
