import { type Static, type TProperties, Type } from 'typebox'
import { reference } from '#kernel/reference.ts'
import { sandbox } from '#kernel/sandbox.ts'
import { Named, Uuid } from '#platform/http/schemas.ts'
import { englishOf } from '#kernel/texts/messages.ts'

/* What movements of every kind can have. */

export const Reference = Type.Unsafe<string | null>({
  ...reference.optionalSchema,
  description: `The client's own name for it, returned with it. ${englishOf(reference.rule)}`,
})

export const sandboxDescription =
  'Staging only: what becomes of the movement, `after-days` days after it was accepted, as if the carrier had said so. With `resolution` it has ' +
  'no effect. `no-answer`: it stays in `carrier-processing`. `card-number` is of a benefit that starts.'

export const SandboxField = Type.Unsafe<unknown>({ ...sandbox.optionalSchema, description: sandboxDescription })

/** A value of a batch, of whatever type it came. */
export const AsSent = Type.Unsafe<unknown>({
  // Not a list of types: a generator (Kubb 4) does not end with one.
  anyOf: ['string', 'number', 'boolean', 'object', 'array', 'null'].map((type) =>
    type === 'array' ? { type, items: {} } : { type },
  ),
  description: 'As sent; null when absent.',
})

/** The 200 of a movement or a batch: it was accepted, or with `dry-run=true` judged. @param judged what both have. */
export function JudgedResponse<T extends TProperties>(name: string, judged: T) {
  const accepted = Type.Object({
    'request-id': { ...Uuid, description: 'Of `GET /v1/request/{request-id}`.' },
    ...judged,
  })
  const dryRun = Type.Object({
    'dry-run': Type.Literal(true, { description: 'Judged and not accepted.' }),
    ...judged,
  })
  return Type.Unsafe<Static<typeof accepted> | Static<typeof dryRun>>({
    oneOf: [Named(`Accepted${name}`, accepted), Named(`Judged${name}`, dryRun)],
    examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }, { 'dry-run': true }],
  })
}
