import { randomInt } from 'node:crypto'
import type { Tx } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { type KnownPerson, readErased } from './queries.ts'
import { type ErasedPerson, eraseFrom } from './statements.ts'

/** What a company had of a person who is erased there. */
interface Erasure {
  readonly person: ErasedPerson
  /** The keys of stored files that belong to nothing any more. */
  readonly keys: readonly string[]
}

/** Erases what is the person's by key in a company. */
export async function erasePerson(context: Context, tx: Tx, known: KnownPerson, taxId: string): Promise<Erasure> {
  const found = await readErased(tx, context.memberKey, known, taxId)
  const person: ErasedPerson = { ...found, replacement: replacementOf() }
  const keys: string[] = []
  for (const erase of Object.values(eraseFrom)) keys.push(...(await erase(tx, person)))
  // A person without a benefit is no member: the movements name them.
  const targets = person.memberId === null ? person.enrollmentIds : [person.memberId]
  tx.audit(targets.map((target) => ({ action: 'member.erased', target, companyId: person.companyId })))
  return { person, keys }
}

/** `erased` and five characters of `[0-9a-z]`. */
function replacementOf(): string {
  return `erased${randomInt(36 ** 5)
    .toString(36)
    .padStart(5, '0')}`
}
