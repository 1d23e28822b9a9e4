import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ErrorCode } from '#kernel/error-codes.ts'
import type { Message } from '#kernel/messages.ts'
import { toApiError } from '../core/database-errors.ts'
import { ApiError, errorText, invalidBody, invalidCredentials } from '../core/errors.ts'
import { isActiveClient } from '../core/access.ts'
import type { App, Context } from './context.ts'
import { explainError } from './explain-error.ts'
import { knownPaths } from './known-paths.ts'
import { inLanguage } from './language.ts'
import { withAccepted } from './refused-content.ts'
import { securityHeaders } from './security-headers.ts'
import { JsonError, TooManyValuesError } from './strict-json.ts'
import { closeAfterUpgrade } from './upgrade-request.ts'

/** The delay of a response to a body that is too large, or of too many values: it slows down a client that goes on sending them. */
const oversizedDelayMs = 250

/**
 * Sets the one error body for what handlers and hooks throw and for paths without a route. To be called before routes are added.
 * @returns the error of a path without a route.
 */
export function addErrorResponses(app: App, context: Context): (request: FastifyRequest) => ApiError {
  const paths = knownPaths(app)
  const missingRoute = ({ raw }: FastifyRequest): ApiError => {
    const path = raw.url?.split('?', 1)[0] ?? ''
    const allowed = paths.methods(path)
    if (allowed.length === 0) return notFound(paths.hint(path))
    const message = { key: 'one-of', values: allowed } as const
    const details = [{ field: 'method', code: 'invalid', message, allowed }]
    return new ApiError('method-not-allowed', { details }, { headers: { allow: allowed.join(', ') } })
  }
  app.setErrorHandler((error, request, reply) => errorResponse(context, error as Error, request, reply))
  app.setNotFoundHandler(async (request) => {
    throw missingRoute(request)
  })
  return missingRoute
}

function notFound(hint: Message | null): ApiError {
  if (hint === null) return new ApiError('not-found')
  return new ApiError('not-found', { details: [{ field: 'path', code: 'unknown', message: hint }] })
}

/** Responds to an error of the router. */
export async function sendError(
  context: Context,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // No hooks run for such a request.
  const response = await errorResponse(context, error, request, reply)
  await closeAfterUpgrade(reply)
  await reply.headers(securityHeaders).send(await inLanguage(request, reply, response))
}

/** Sets status and headers for an error. @returns the body, without its sentences. */
async function errorResponse(
  context: Context,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const found = withAccepted(errorOfRequest(context, error, request), request)
  const apiError = await afterActiveCheck(context, request, found)
  if (apiError.statusCode === 413 || error instanceof TooManyValuesError) await pause(oversizedDelayMs)
  // Closed while the client still sends, the connection would break before the response is read.
  if (apiError.statusCode === 413) void reply.removeHeader('connection')
  void reply
    .status(apiError.statusCode)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...apiError.headers })
    .type('application/json; charset=utf-8')
  request.sentences = 'missing'
  return errorText(apiError, request.id)
}

/**
 * 401 takes precedence: the error may be thrown before a statement has found the client active. The rate limiter checks by itself before its
 * 429, so that a flood does not reach the database.
 */
async function afterActiveCheck(
  context: Context,
  { caller, role, raw }: FastifyRequest,
  error: ApiError,
): Promise<ApiError> {
  const { statusCode } = error
  const isFinal = statusCode < 400 || statusCode >= 500 || statusCode === 401 || statusCode === 429
  // For a path that cannot be decoded Fastify makes a request without decorations.
  if (!caller || role !== null || isFinal || raw.socket.destroyed) return error
  try {
    return (await isActiveClient(context.database, caller)) ? error : invalidCredentials('client-revoked')
  } catch (thrown) {
    return toApiError(thrown, context.log)
  }
}

function errorOfRequest(context: Context, error: Error, request: FastifyRequest): ApiError {
  const isClosed = request.raw.socket.destroyed
  if (isClosed) {
    context.log.debug({ 'request-trace-id': request.id, route: request.routeOptions.url }, 'the client hung up')
  }
  if (error instanceof ApiError) return error
  if (error instanceof JsonError) return invalidBody([error.detail])
  const { statusCode, code } = error as FastifyError
  if (typeof code === 'string' && code.startsWith('FST_')) {
    if (statusCode === 413) return new ApiError('body-too-large')
    if (statusCode === 415) return new ApiError('unsupported-media-type')
    if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return new ApiError('invalid-path')
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return invalidBody()
  }
  // An error because the client closed the connection is none of the service, and its response is not read.
  if (request.raw.errored === error || (isClosed && code === 'ERR_STREAM_PREMATURE_CLOSE')) return invalidBody()
  return toApiError(error, context.log)
}

/** 408 for a body below the minimum speed; the connection closes with the next packet. */
export function rejectSlowBody(socket: Socket): void {
  rejectConnection(Object.assign(new Error('the body is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  socket.destroySoon()
}

/** The errors of Node's HTTP parser; any other is a `bad-request`. */
const parserErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'header-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}

/** `rawPacket`: a Buffer with what the HTTP parser could not read. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: unknown }

/**
 * The error body for what is no HTTP request, as long as the socket can be written to; no body in response to HEAD. Its `help` is a path: what
 * leads here knows no settings.
 */
export function rejectConnection(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const apiError = error instanceof ApiError ? error : new ApiError(parserErrors[error.code ?? ''] ?? 'bad-request')
  const { statusCode: status } = apiError
  const headers = Object.entries(apiError.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const id = randomUUID()
  const explained = explainError(apiError.code, 'en', '')
  const body = errorText(new ApiError(apiError.code, { ...explained, ...apiError.extra }), id)
  const isHead = Buffer.isBuffer(error.rawPacket) && error.rawPacket.toString('latin1', 0, 5) === 'HEAD '
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\n` +
      `${headers.join('')}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${isHead ? '' : body}`,
  )
}
