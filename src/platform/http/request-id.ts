import { randomUUID } from 'node:crypto'

/**
 * The id of a request: the client's `X-Request-Id` when it is safe to log, else a new UUID. Nine digits in a row, separators aside, may be of a
 * CPF: only a UUID may have them.
 */
export function requestId(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || !/^[A-Za-z0-9._-]{1,100}$/.test(header)) return randomUUID()
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(header)
  return isUuid || !/\d{9}/.test(header.replaceAll(/[._-]/g, '')) ? header : randomUUID()
}
