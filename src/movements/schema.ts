import { Type } from 'typebox'
import { reference } from '../domain/reference.ts'
import { sandbox } from '../domain/sandbox.ts'
import { englishOf } from '../texts/messages.ts'

/* What movements of every kind can have. */

export const Reference = Type.Unsafe<string | null>({
  ...reference.optionalSchema,
  description: `The client's own name for it, returned with it. ${englishOf(reference.rule)}`,
})

export const sandboxDescription =
  'Staging only: what becomes of the movement, `after-days` days after it was accepted, as if the carrier had said so. With `resolution` it has ' +
  'no effect. `no-answer`: it stays in `carrier-processing`. `card-number` is of a benefit that starts.'

export const SandboxField = Type.Unsafe<unknown>({ ...sandbox.optionalSchema, description: sandboxDescription })
