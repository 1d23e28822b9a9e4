import type { FastifyRequest } from 'fastify'
import { checkRole, readRole } from '../core/access.ts'
import type { Sql } from '../core/database.ts'
import { invalidCredentials } from '../core/errors.ts'

/** Before the handler of an operator's call. @throws ApiError 401 for an operator that was removed, 403 for a role that may not call the route. */
export async function requireRole(sql: Sql, request: FastifyRequest): Promise<void> {
  const { caller } = request
  if (caller === null) throw invalidCredentials('token-missing')
  request.role = await readRole(sql, caller.clientId)
  if (request.role === null) throw invalidCredentials('client-revoked')
  checkRole(request.routeOptions.config.roles ?? [], request.role)
}
