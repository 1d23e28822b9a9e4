import type { FastifyRequest } from 'fastify'
import { type Context, requestOrigin } from '#platform/http/context.ts'
import { ApiError, invalidCredentials } from '#platform/core/errors.ts'
import { requireSameOrigin } from './same-origin.ts'
import { readCookie, sessionCookieName } from './cookie.ts'
import { resumeSession } from './sessions.ts'

/**
 * Sets the caller of a request on a route that needs one: from its bearer token or, where there is no `Authorization`, from the cookie of a
 * session.
 * @throws ApiError 401, or 403 for a request of another site with the cookie.
 */
export async function authenticateRequest(context: Context, request: FastifyRequest): Promise<void> {
  const { api, isOfSession = false, isForPrograms = false } = request.routeOptions.config
  if (api === undefined) return
  const origin = requestOrigin(request)
  const { authorization } = request.headers
  if (authorization === undefined) {
    const sessionToken = readCookie(request, sessionCookieName(context.config))
    if (sessionToken !== undefined) {
      requireSameOrigin(request, context.config)
      const isBackground = request.headers['vigencia-background'] === 'true'
      const { clientId, sessionId, api: own } = await resumeSession(context, sessionToken, { isBackground })
      // Operators have no companies of their own: the partner API knows the cookie of the people of companies only.
      if (api === 'partner' && own === 'operator') throw invalidCredentials('token-missing')
      if (isForPrograms || (own !== api && !isOfSession)) throw new ApiError('role-not-allowed')
      request.caller = { kind: own, clientId, origin }
      request.sessionId = sessionId
      return
    }
  }
  const token = /^bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1]
  // Node uses the first of several; a proxy in front may have checked another.
  const isOne = request.raw.headersDistinct['authorization']?.length === 1
  if (token === undefined || !isOne) throw invalidCredentials(authorization ? 'token-invalid' : 'token-missing')
  const clientId = await context.tokens.verify(token, api)
  if (typeof clientId !== 'string') throw invalidCredentials(clientId.code)
  request.caller = { kind: api, clientId, origin }
}
