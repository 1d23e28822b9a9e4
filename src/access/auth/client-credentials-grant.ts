import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#kernel/error-codes.ts'
import type { Message } from '#kernel/messages.ts'
import { ApiError, type Detail, invalidBody, invalidCredentials } from '#platform/core/errors.ts'

/*
 * The client credentials grant of OAuth 2.0 at `POST /v1/authenticate` (RFC 6749, 2.3.1, 4.4, 5.1, 5.2), for libraries that know no other form: the body
 * is a form, the credentials come by HTTP Basic or in the body.
 */

export const formType = 'application/x-www-form-urlencoded'

/** A body of `formType`, not parsed yet: media type and length are checked first. */
export class RawForm {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** The form in OpenAPI. Unknown parameters are ignored, as RFC 6749 demands, so that it is not closed. */
export const TokenRequest = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['client_credentials'] },
    client_id: { type: 'string', description: 'Without HTTP Basic.' },
    client_secret: { type: 'string', description: 'Without HTTP Basic.' },
    scope: { type: 'string', maxLength: 0, description: 'There are no scopes: `invalid_scope`.' },
  },
  examples: [
    {
      grant_type: 'client_credentials',
      client_id: '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      client_secret: 'q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM',
    },
  ],
}

interface Pair {
  readonly clientId: string
  readonly secret: string
}

/** An error of the grant alone, by its code in RFC 6749. */
class GrantError extends ApiError {
  readonly error: string

  constructor(error: string, detail: Detail) {
    super('invalid-body', { details: [detail] })
    this.error = error
  }
}

/** The credentials of the form. @throws ApiError 400 for a form that is not the grant, 401 without credentials. */
export function readGrant(request: FastifyRequest, { bytes }: RawForm): Pair {
  const form = parseForm(bytes)
  const grantType = form.get('grant_type')
  if (grantType === undefined) throw invalidBody([{ field: 'grant_type', code: 'missing' }])
  if (grantType !== 'client_credentials') {
    const allowed = ['client_credentials']
    throw new GrantError('unsupported_grant_type', { field: 'grant_type', code: 'invalid', allowed })
  }
  // To ignore it, the response would have to name the scope that was given (RFC 6749, 3.3); there is none.
  if (form.has('scope')) throw new GrantError('invalid_scope', { field: 'scope', code: 'invalid' })
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  const basic = readBasic(request)
  if (basic === null) {
    if (clientId === undefined || secret === undefined) throw invalidCredentials('wrong-secret')
    return { clientId, secret }
  }
  if (secret !== undefined || (clientId ?? basic.clientId) !== basic.clientId) {
    throw invalidBody([
      {
        field: secret === undefined ? 'client_id' : 'client_secret',
        code: 'invalid',
        message: { key: 'credentials-twice' },
      },
    ])
  }
  return basic
}

const known: ReadonlySet<string> = new Set(['grant_type', 'client_id', 'client_secret', 'scope'])

/** The known parameters that have a value. @throws ApiError 400 for a malformed form or a repeated parameter. */
function parseForm(bytes: Buffer): Map<string, string> {
  const form = new Map<string, string>()
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '%'
  for (const part of text.split('&')) {
    const [rawName = ''] = part.split('=', 1)
    const name = decode(rawName)
    const value = decode(part.slice(rawName.length + 1))
    if (name === null || value === null) throw malformed('body', { key: 'not-a-form' })
    if (!known.has(name) || value === '') continue
    if (form.has(name)) throw invalidBody([{ field: name, code: 'invalid', message: { key: 'sent-twice' } }])
    form.set(name, value)
  }
  return form
}

/** null without the header. @throws ApiError 401 for another scheme, 400 for a malformed or repeated header. */
function readBasic({ headers, raw }: FastifyRequest): Pair | null {
  const { authorization } = headers
  if (authorization === undefined) return null
  const message: Message = { key: 'basic-credentials' }
  const [scheme = ''] = authorization.split(' ', 1)
  if (scheme.toLowerCase() !== 'basic') throw invalidCredentials('wrong-secret')
  const encoded = /^ +([A-Za-z\d+/]+={0,2})$/.exec(authorization.slice(scheme.length))?.[1]
  // Node uses the first of several; a proxy in front may have checked another.
  if (encoded === undefined || raw.headersDistinct['authorization']?.length !== 1)
    throw malformed('authorization', message)
  const bytes = Buffer.from(encoded, 'base64')
  const text = isUtf8(bytes) ? bytes.toString('utf8') : ''
  const colon = text.indexOf(':')
  const [clientId, secret] = [decode(text.slice(0, Math.max(colon, 0))), decode(text.slice(colon + 1))]
  if (colon < 0 || clientId === null || secret === null) throw malformed('authorization', message)
  if (clientId === '' || secret === '') throw invalidCredentials('wrong-secret')
  return { clientId, secret }
}

/** null for a malformed text, and for NUL, which PostgreSQL does not take. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}

function malformed(field: string, message: Message): ApiError {
  return invalidBody([{ field, code: 'invalid', message }])
}

const challenge = { 'www-authenticate': 'Basic realm="vigencia", charset="UTF-8"' }
const grantErrors: Partial<Record<number, string>> = { 400: 'invalid_request', 401: 'invalid_client' }

/** The error as RFC 6749 (5.2) spells it: `error` is a code, the sentence is in `error_description`. Others have no code there. */
export function asGrantError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const message = error instanceof GrantError ? error.error : grantErrors[error.statusCode]
  if (message === undefined) return error
  const code: ErrorCode = error.code
  const headers = error.statusCode === 401 ? { ...error.headers, ...challenge } : error.headers
  return new ApiError(code, { error_description: error.message, ...error.extra }, { message, headers })
}
