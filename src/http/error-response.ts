import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { toApiError } from '../platform/database.ts'
import { ApiError, errorText, invalidBody, invalidCredentials } from '../platform/errors.ts'
import { isActiveClient } from './active-client.ts'
import { allowedMethods } from './allowed-methods.ts'
import type { App, Context } from './context.ts'
import { JsonError, TooManyValuesError } from './strict-json.ts'

/** The delay of a response to a body that is too large, or of too many values: it slows down a client that goes on sending them. */
const oversizedDelayMs = 250

/** Sets the one error body for what handlers and hooks throw and for paths without a route. To be called before routes are added. */
export function addErrorResponses(app: App, context: Context): void {
  const methodsOf = allowedMethods(app)
  app.setErrorHandler((error, request, reply) => errorResponse(context, error as Error, request, reply))
  app.setNotFoundHandler(async (request) => {
    const allowed = methodsOf(request.raw.url?.split('?', 1)[0] ?? '')
    if (allowed.length === 0) throw new ApiError(404, 'Not found')
    throw new ApiError(405, 'Method not allowed', {}, { allow: allowed.join(', ') })
  })
}

/** Responds to an error of the router. */
export async function sendError(
  context: Context,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await reply.send(await errorResponse(context, error, request, reply))
}

/** Sets status and headers for an error. @returns the body. */
async function errorResponse(
  context: Context,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const apiError = await afterActiveCheck(context, request, toApiError(context, error, request))
  if (apiError.statusCode === 413 || error instanceof TooManyValuesError) await pause(oversizedDelayMs)
  // Closed while the client still sends, the connection would break before the response is read.
  if (apiError.statusCode === 413) void reply.removeHeader('connection')
  void reply
    .status(apiError.statusCode)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...apiError.headers })
    .type('application/json; charset=utf-8')
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
    return (await isActiveClient(context.database, caller)) ? error : invalidCredentials()
  } catch (thrown) {
    return toApiError(thrown, context.log)
  }
}

function toApiError(context: Context, error: Error, request: FastifyRequest): ApiError {
  const isClosed = request.raw.socket.destroyed
  if (isClosed) {
    context.log.debug({ 'request-trace-id': request.id, route: request.routeOptions.url }, 'the client hung up')
  }
  if (error instanceof ApiError) return error
  if (error instanceof TooManyValuesError) return invalidBody([{ field: 'body', code: 'too-many-values' }])
  if (error instanceof JsonError) return invalidBody()
  const { statusCode, code } = error as FastifyError
  if (typeof code === 'string' && code.startsWith('FST_')) {
    if (statusCode === 413) return new ApiError(413, 'Body too large')
    if (statusCode === 415) return new ApiError(415, 'Unsupported media type')
    if (code === 'FST_ERR_BAD_URL') return new ApiError(400, 'Invalid path')
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

/** The error body for what is no HTTP request, as long as the socket can be written to. */
export function rejectConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const id = randomUUID()
  const body = JSON.stringify({ error: STATUS_CODES[status] ?? 'Bad Request', 'request-trace-id': id })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
