import { MAX_KEY_LENGTH, UUID_PATTERN } from '#kernel/field-types.ts'
import { FIELD_FORMATS, type JsonType, type Message } from '#kernel/messages.ts'
import { didYouMean } from '#kernel/nearest.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { type Detail, maxDetails } from '../core/errors.ts'

/** An error of a TypeBox validator. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: {
    readonly requiredProperties?: string[]
    readonly allowedValues?: string[]
    readonly type?: JsonType | JsonType[]
    readonly limit?: number
    readonly format?: unknown
    readonly pattern?: unknown
  }
}

/** The messages of keywords with a limit. */
const limits = {
  minimum: 'minimum',
  maximum: 'maximum',
  minLength: 'min-characters',
  maxLength: 'max-characters',
  minItems: 'min-items',
  maxItems: 'max-items',
} as const

/** The details of a body or a query, one for each field: the first error counts. */
export function detailsOf(errors: readonly SchemaError[], data: unknown, part: 'body' | 'querystring'): Detail[] {
  const details = new Map<string, Detail>()
  const add = (detail: Detail) => {
    if (!details.has(detail.field) && details.size < maxDetails) details.set(detail.field, detail)
  }
  for (const error of errors) {
    const { keyword, instancePath, params } = error
    // A value in a list is of its parameter.
    const field = part === 'body' ? fieldOf(instancePath) : (stepsOf(instancePath)[0] ?? '')
    if (keyword === 'required') {
      for (const name of params.requiredProperties ?? []) {
        add({ field: field === '' ? name : `${field}.${name}`, code: 'missing' })
      }
    } else if (keyword === 'boolean') add({ field, code: 'unknown' })
    // Texts have it; of names the code says so.
    else if (keyword === 'not') add(unfitText(field))
    else if (keyword !== 'additionalProperties') add(invalidDetail(field, error, valueAt(data, instancePath), part))
  }
  details.delete('')
  return [...details.values()]
}

function unfitText(field: string): Detail {
  if (/(?:^|[.-])name$/.test(field)) return { field, code: 'invalid-name' }
  return { field, code: 'invalid', message: { key: 'no-controls' } }
}

function invalidDetail(field: string, error: SchemaError, value: unknown, part: 'body' | 'querystring'): Detail {
  const { keyword, params } = error
  const detail = { field, code: 'invalid' } as const
  const isFlag = part === 'querystring' && keyword === 'type' && params.type === 'boolean'
  const allowed = isFlag ? ['true', 'false'] : keyword === 'enum' ? params.allowedValues : undefined
  if (allowed !== undefined) return { ...detail, ...outsideOf(allowed, value) }
  const message = messageOf(error)
  if (message === null) return detail
  const isNumber = part === 'querystring' && (params.type === 'integer' || typeof value === 'number')
  return { ...detail, message, ...(message.key === 'format' ? {} : echo(isNumber, value)) }
}

/** What a value must be; null where the keyword cannot say it. */
function messageOf({ keyword, params }: SchemaError): Message | null {
  const sent = keyword === 'pattern' && params.pattern === UUID_PATTERN ? 'uuid' : params.format
  const format = FIELD_FORMATS.find((one) => one === sent)
  if (format !== undefined) return { key: 'format', format }
  if (keyword === 'type' && params.type !== undefined) return { key: 'type', types: [params.type].flat() }
  const isLimit = Object.hasOwn(limits, keyword) && params.limit !== undefined
  return isLimit ? { key: limits[keyword as keyof typeof limits], limit: params.limit } : null
}

/** What a detail says of a value that is not in its closed set. */
function outsideOf(allowed: readonly string[], value: unknown): Pick<Detail, 'message' | 'value' | 'allowed'> {
  const suggestion = typeof value === 'string' ? didYouMean(value, allowed) : undefined
  return { message: suggestion ?? { key: 'one-of', values: allowed }, ...echo(true, value), allowed }
}

/** The value, unless it could be personal data in the wrong place. */
function echo(isClosed: boolean, value: unknown): { value?: string | number } {
  if (!isClosed || (typeof value !== 'string' && typeof value !== 'number')) return {}
  const text = String(value)
  return /^[\w.+-]{1,40}$/.test(text) && !/\d{9}/.test(text) && parseCpf(text) === null ? { value } : {}
}

function valueAt(data: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
    data,
  )
}

/** `/members/3/name` as `members[3].name`. */
function fieldOf(pointer: string): string {
  return stepsOf(pointer)
    .map((step) => step.slice(0, MAX_KEY_LENGTH))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`), '')
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
