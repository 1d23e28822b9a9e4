import { Type } from 'typebox'
import { blockedSeconds } from '../clients/queries.ts'
import type { Database, Sql } from '../core/database.ts'
import { invalidCredentials } from '../core/errors.ts'
import type { Api } from '../http/caller.ts'
import { Closed } from '../http/schemas.ts'
import { failureBucket, type Failures, tooManyAttempts } from './failures.ts'
import { verifyPassword } from './passwords.ts'

/** Shorter than what the service hashes at all. */
const maxPasswordLength = 200

/** A password that somebody chooses: long, and of whatever characters. */
export const NewPassword = Type.String({
  minLength: 12,
  maxLength: maxPasswordLength,
  description: 'Of 12 characters or more, whatever they are.',
  examples: ['quatro palavras bem longas'],
})

export const passwordExample = { email: 'ana.prado@broker.example', password: 'quatro palavras bem longas' }

export const PasswordCredentials = Closed(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: maxPasswordLength }),
  },
  { examples: [passwordExample] },
)

/**
 * Resolves with the client of the active person who has the password.
 * @throws ApiError 401 for a wrong one and for a person who is blocked, 429 for an address that failed too often.
 */
export type CheckPassword = (
  email: string,
  password: string,
  address: string,
) => Promise<{ readonly clientId: string; readonly api: Api }>

/**
 * Opens the check of passwords. A password that a person chose can be guessed, and its hash takes time: other than a secret it is not verified
 * while the e-mail address or the network address failed too often.
 */
export function openPasswordCheck(database: Database, failures: Failures): CheckPassword {
  return async (email, password, address) => {
    const normal = email.trim().toLowerCase()
    const bucket = failureBucket(normal, address)
    const { person, blockedForSeconds } = await readPerson(database, normal, bucket)
    const waitSeconds = blockedForSeconds ?? failures.waitOf(address)
    if (waitSeconds !== null) throw tooManyAttempts(waitSeconds)
    const isRight = await verifyPassword(person?.passwordHash ?? null, password)
    if (isRight && person !== null && !person.isBlocked) return { clientId: person.clientId, api: person.api }
    const error = invalidCredentials(isRight ? 'client-revoked' : 'wrong-password')
    throw await failures.count({ bucket, address, blockedForSeconds, error })
  }
}

interface Person {
  readonly clientId: string
  readonly api: Api
  readonly passwordHash: string | null
  readonly isBlocked: boolean
}

async function readPerson(
  sql: Sql,
  email: string,
  bucket: number,
): Promise<{ person: Person | null; blockedForSeconds: number | null }> {
  const [row] = await sql.query<{ person: Person | null; blocked: number | null }>(
    `select (select json_build_object('clientId', client.id, 'api', client.api, 'passwordHash', password_hash,
                      'isBlocked', client.revoked_at is not null)
               from person join client on client.id = person.client_id where person.email = $1) as person,
            ${blockedSeconds('$2')} as blocked`,
    [email, bucket],
  )
  return { person: row?.person ?? null, blockedForSeconds: row?.blocked ?? null }
}
