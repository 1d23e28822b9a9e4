import type { FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { FieldError } from '#kernel/fields.ts'

/** 413: what may be sent at most. */
export function tooLarge(limitBytes: number): ApiError {
  const message = { key: 'max-bytes', limit: limitBytes } as const
  return new ApiError('body-too-large', { details: [{ field: 'body', code: 'too-many', message }] })
}

/** 415 for a file whose first bytes are of no accepted type. */
export function unsupportedFile(types: readonly string[]): ApiError {
  const message = { key: 'first-bytes', values: types } as const
  return new ApiError('unsupported-media-type', {
    details: [{ field: 'file', code: 'invalid', message, allowed: types }],
  })
}

/** 415 for a body in a coding of its own. */
export function unsupportedCoding(): ApiError {
  const detail: FieldError = { field: 'content-encoding', code: 'invalid', message: { key: 'content-encoding' } }
  return new ApiError('unsupported-media-type', { details: [detail] })
}

/** The same error with what the route takes, where it does not say it itself. */
export function withAccepted(error: ApiError, { routeOptions, headers }: FastifyRequest): ApiError {
  if (error.extra['details'] !== undefined) return error
  if (error.code === 'body-too-large') return tooLarge(routeOptions.bodyLimit)
  const { accepts = [] } = routeOptions.config
  if (error.code !== 'unsupported-media-type' || accepts.length === 0) return error
  return new ApiError(error.code, { details: [contentTypeError(headers['content-type'], accepts)] })
}

function contentTypeError(sent: string | undefined, accepts: readonly string[]): FieldError {
  const found = sent?.split(';', 1)[0]?.trim().toLowerCase().slice(0, 100) ?? ''
  const message = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(found)
    ? ({ key: 'content-type', found, values: accepts } as const)
    : ({ key: 'content-type-missing', values: accepts } as const)
  return { field: 'content-type', code: found === '' ? 'missing' : 'invalid', message, allowed: accepts }
}
