import { type FastifyReply } from 'fastify'
import { Type } from 'typebox'

/** A query parameter of the lists that can be read by what changed. */
export const updatedSinceQuery = {
  'updated-since': Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Timestamp of RFC 3339, with any offset: only what changed at or after it, which is everything that the item shows. Send the `Date` of the former ' +
        'call minus 60 seconds: then nothing is missed, and a few items come twice.',
      examples: ['2026-11-21T13:05:09Z'],
    }),
  ),
}

/** Sets `Date` to the database's time before the list is read: the list has every change that was committed by then. */
export function setDate(reply: FastifyReply, now: Date): void {
  void reply.header('date', now.toUTCString())
}
