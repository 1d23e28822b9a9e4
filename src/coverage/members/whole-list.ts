import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import { isActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { invalidCredentials } from '#platform/core/errors.ts'
import type { Context } from '#platform/http/context.ts'
import { openItemStream } from '#platform/http/row-stream.ts'
import { readSharedTaxIds } from './corrected.ts'
import { type MemberSelection, wholeList } from './queries.ts'

/** Timeout of a whole list. */
const timeoutMs = 15 * 60_000

const format = { head: '{"result":[', separator: ',', tail: ']}' }

/**
 * Opens `{"result":[...]}` of members as a stream: of any length, in constant memory, from one snapshot. @throws ApiError 401 when the caller's client is revoked, 503 when too
 * many lists are read.
 */
export function openWholeList(
  context: Context,
  reply: FastifyReply,
  caller: ClientActor,
  selection: MemberSelection,
): Promise<Readable> {
  const { database } = context
  const statement = async () => {
    if (!(await isActiveClient(database, caller))) throw invalidCredentials('client-revoked')
    return { ...wholeList(caller, selection, await readSharedTaxIds(database, caller)), timeoutMs }
  }
  return openItemStream(context, reply, statement, format)
}
