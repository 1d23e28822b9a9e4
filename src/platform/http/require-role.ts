import type { FastifyRequest } from 'fastify'
import { checkRole, isActiveClient, readRole } from '../core/access.ts'
import type { Sql } from '../core/database.ts'
import { invalidCredentials } from '../core/errors.ts'

/** Before the handler of an operator's call, or one of a person of a company about its session. @throws ApiError 401 for an operator that was removed, 403 for a role that may not call the route. */
export async function requireRole(sql: Sql, request: FastifyRequest): Promise<void> {
  const { caller } = request
  if (caller === null) throw invalidCredentials('token-missing')
  if (caller.kind === 'partner') {
    if (!(await isActiveClient(sql, caller))) throw invalidCredentials('client-revoked')
    return
  }
  request.role = await readRole(sql, caller.clientId)
  if (request.role === null) throw invalidCredentials('client-revoked')
  checkRole(request.routeOptions.config.roles ?? [], request.role)
}
