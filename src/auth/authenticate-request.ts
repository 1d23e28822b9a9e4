import type { FastifyRequest } from 'fastify'
import type { Context } from '../http/context.ts'
import { invalidCredentials } from '../platform/errors.ts'

/** Sets the caller of a request from its bearer token, on a route that needs one. @throws ApiError 401. */
export async function authenticateRequest({ tokens }: Context, request: FastifyRequest): Promise<void> {
  const { api, roles = [] } = request.routeOptions.config
  if (api === undefined) return
  const token = /^bearer ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw invalidCredentials(request.headers.authorization ? 'token-invalid' : 'token-missing')
  const clientId = await tokens.verify(token, api)
  if (typeof clientId !== 'string') throw invalidCredentials(clientId.code)
  request.caller = { api, clientId, roles }
}
