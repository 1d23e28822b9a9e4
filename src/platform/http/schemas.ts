import { errorMessage, helpPath } from '#kernel/texts/explain.ts'
import { Type, type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox'
import { DETAIL_CODES } from '#kernel/enums.ts'
import { ERROR_CODES, ERROR_STATUSES, type ErrorCode } from '#kernel/error-codes.ts'
import { cpf, MAX_TEXT_CHARACTERS, UUID_PATTERN } from '#kernel/field-types.ts'
import { type DeclaredError, errorExamples } from './error-examples.ts'
import { unfitForLines, unfitForNames } from '#kernel/name.ts'

/*
 * Parts of the wire format that several endpoints share. A schema is the type, the validation and the OpenAPI document.
 */

export const Uuid = Type.String({
  format: 'uuid',
  pattern: UUID_PATTERN,
  examples: ['01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'],
})
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-21T13:05:09.120Z'] })
export const DateOnly = Type.String({ format: 'date', examples: ['2026-12-01'] })
export const Cpf = Type.String({ description: 'CPF; unformatted in responses.', examples: ['52998224725'] })
/** A CPF in a path. */
export const CpfParameter = Type.String({
  ...cpf.schema,
  description: 'CPF, formatted or not.',
  examples: ['52998224725'],
})
export const Cnpj = Type.String({
  description: 'CNPJ, numeric or alphanumeric (IN RFB 2.229/2024); unformatted in responses.',
  examples: ['11222333000181'],
})
export const Text = Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, pattern: '\\S' })

/** For the schema of a text other than a name. */
export const noControls = { not: { pattern: unfitForLines } }

/** The name of a company, product, carrier, client or operator in a request. */
export const Name = Type.String({
  ...Text,
  not: { pattern: unfitForNames },
  description: 'Without control and bidirectional characters.',
})

/** An amount of money. */
export const Cents = (description: string) => Type.Integer({ description: `${description} In cents.` })

/** A number or code of a carrier: printable ASCII without space at its ends. */
export const Code = (maxLength: number, description: string, examples: string[]) =>
  Type.String({ pattern: `^[!-~]([ -~]{0,${maxLength - 2}}[!-~])?$`, description, examples })

/** One of a closed set, as a plain JSON Schema `enum`. */
export function OneOf<const T extends readonly string[]>(
  values: T,
  options: Record<string, unknown> = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], examples: [values[0]], ...options })
}

/** A schema that the OpenAPI document contains once, under this name. */
export function Named<T extends TSchema>(title: string, schema: T): T {
  return { ...schema, title }
}

/** An object that takes no other keys: a query or the body of a request. */
export function Closed<T extends TProperties>(properties: T, options: { examples?: unknown[] } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** A value or null. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** Fields that may be null: a response has them all. */
export const nullable = <P extends TProperties>(fields: P) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Nullable(schema)])) as {
    [Name in keyof P]: ReturnType<typeof Nullable<P[Name]>>
  }

/** The same fields in a body, which may leave them out. */
export const optional = <P extends TProperties>(fields: P) => Type.Partial(Type.Object(fields)).properties

/** The fields of a body in a response, which has them all. */
export const required = <P extends TProperties>(body: TObject<P>) => Type.Required(body).properties

/** The named schema of `code`. */
export const ErrorCodes = {
  ...OneOf(ERROR_CODES, {
    description: 'What a program can act on; docs/reference/errors.md names cause and remedy.',
  }),
  $id: 'ErrorCode',
}
export const ErrorCodeReference = Type.Unsafe<ErrorCode>(Type.Ref('ErrorCode'))

/** What each element of `offense-details` says of its offense. */
export const offenseExplanation = {
  message: Type.Optional(
    Type.String({
      description:
        'The offense in a sentence, with what to do: in English, or with `Accept-Language: pt-BR` in Portuguese.',
      examples: ['`gender` is not valid: one of `male`, `female`. Correct it. Did you mean `male`?'],
    }),
  ),
  expected: Type.Optional(
    Type.String({ description: 'The form of a value of the field, where it has no closed set, in a sentence.' }),
  ),
  suggestion: Type.Optional(
    Type.String({ description: 'The product, field or value that was most likely meant, as in JSON.' }),
  ),
}
export const AllowedOfOffense = Type.Optional(
  Type.Union(
    [
      Type.Array(Type.String(), { description: 'The values of a closed set, or those that the product allows.' }),
      Type.Object(
        { 'max-age': Type.Integer(), 'student-max-age': Nullable(Type.Integer()) },
        { description: 'Of `dependent-too-old`: the limits of the product, the ages that are too old.' },
      ),
    ],
    { description: 'What the field may be.' },
  ),
)
export const AllowedValues = Type.Optional(
  Type.Array(Type.String(), { description: 'The values of a closed set, as in JSON.' }),
)

/** `offense-details` beside `offenses` that are stored without them. */
export const OffenseMessages = Type.Optional(
  Type.Array(Type.Object({ code: Type.String(), ...offenseExplanation, allowed: AllowedOfOffense }), {
    description: 'The offenses in the same order, each with its message.',
  }),
)

/** `details` of an error. */
export const Details = Type.Array(
  Named(
    'ErrorDetail',
    Type.Object({
      field: Type.String({ description: 'Path of the field or name of the parameter.' }),
      code: OneOf(DETAIL_CODES),
      message: Type.Optional(
        Type.String({
          description: 'What is wrong, in a sentence: in English, or with `Accept-Language: pt-BR` in Portuguese.',
          examples: ['10 or 11 digits with area code; punctuation, and before them `+55`, `55` or `0`, are allowed.'],
        }),
      ),
      value: Type.Optional(
        Type.Union([Type.String(), Type.Number()], {
          description: 'As sent, where it cannot be personal data: of enumerated, boolean and number parameters.',
        }),
      ),
      allowed: Type.Optional(Type.Array(Type.String(), { description: 'The values of a closed set.' })),
      line: Type.Optional(Type.Integer({ description: 'Of the first character that is not JSON, from 1.' })),
      column: Type.Optional(Type.Integer()),
    }),
  ),
)

/** What every error body says of its code. */
export const errorExplanation = {
  message: Type.Optional(
    Type.String({
      description: 'What the code means and what to do: in English, or with `Accept-Language: pt-BR` in Portuguese.',
    }),
  ),
  help: Type.Optional(Type.String({ description: 'The address of the code in the guides.' })),
}

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'The error, in one sentence.' }),
    code: ErrorCodeReference,
    ...errorExplanation,
    'request-trace-id': Type.String({
      description: 'The X-Request-Id of this response; quote it when asking for help.',
    }),
    details: Type.Optional(Details),
  },
  {
    $id: 'Error',
    additionalProperties: true,
    examples: [
      {
        error: 'Invalid credentials',
        code: 'token-expired',
        message: errorMessage('token-expired', 'en'),
        help: helpPath('token-expired', 'en'),
        'request-trace-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      },
    ],
  },
)

export const Pagination = Type.Object(
  {
    'current-page': Type.Integer(),
    'total-items': Type.Integer(),
    'total-pages': Type.Integer(),
    'next-page': Nullable(Type.Integer()),
    'previous-page': Nullable(Type.Integer()),
  },
  {
    $id: 'Pagination',
    examples: [{ 'current-page': 1, 'total-items': 1, 'total-pages': 1, 'next-page': null, 'previous-page': null }],
  },
)

/** Most items of a page. */
export const MAX_PAGE_ITEMS = 500

/** Query parameters of every paginated list. */
export const pageQuery = {
  page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Page number, from 1.' }),
  'items-per-page': Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE_ITEMS,
    default: 20,
    description: `Items per page, 1 to ${MAX_PAGE_ITEMS}.`,
  }),
}

export type PageQuery = { page: number; 'items-per-page': number }

/** The pagination object of a list of `total` items. */
export function pagination(query: PageQuery, total: number): Static<typeof Pagination> {
  const pages = Math.ceil(total / query['items-per-page'])
  return {
    'current-page': query.page,
    'total-items': total,
    'total-pages': pages,
    'next-page': query.page < pages ? query.page + 1 : null,
    'previous-page': query.page > 1 && pages > 0 ? Math.min(query.page - 1, pages) : null,
  }
}

/** `limit` and `offset` of a page; the offset fits into the bigint of PostgreSQL. */
export function pageBounds(query: PageQuery): { limit: number; offset: number } {
  const limit = query['items-per-page']
  return { limit, offset: Math.min((query.page - 1) * limit, Number.MAX_SAFE_INTEGER) }
}

export const meanings: Record<number, string> = {
  400: 'The body or a parameter is invalid; `details` name the fields.',
  401: 'No token, a bad or expired one, or one of a revoked client: authenticate again.',
  403: 'The company is unknown or not among those the caller may access, or the role may not do this.',
  404: 'There is no such thing for this caller.',
  405: 'The path exists, with other methods: see `Allow`.',
  409: 'The current state does not allow it. With `Retry-After`: the first call under this Idempotency-Key is still in progress.',
  408: 'The body came too slowly, or not at all: send it again.',
  410: 'The upload address has expired or was used.',
  413: 'The body is too large.',
  415: 'The body must be `application/json`.',
  416: 'The file has none of the bytes that `Range` asks for; `Content-Range` tells its size.',
  422: 'The Idempotency-Key was used with another body or query.',
  429: 'Too many calls or attempts: wait for `Retry-After`.',
  503: 'Not available now; nothing was stored. Repeat after `Retry-After`.',
}

/** Error responses of an operation, with an example of each error, for its `response` schema. */
export function errorResponses(...errors: DeclaredError[]): Record<number, TSchema> {
  const statusOf = (declared: DeclaredError) => ERROR_STATUSES[typeof declared === 'string' ? declared : declared[0]]
  const responses = [...Map.groupBy(errors, statusOf)].map(([status, ofStatus]) => {
    const media = { schema: Type.Ref('Error'), examples: errorExamples(ofStatus) }
    return [status, { description: meanings[status] ?? 'Refused.', content: { 'application/json': media } }]
  })
  return Object.fromEntries(responses) as Record<number, TSchema>
}

/** An error response with a description of its own. */
export function errorResponse(description: string): TSchema {
  return Type.Unsafe<unknown>({ ...Type.Ref('Error'), description })
}
