import { Type } from 'typebox'
import { failuresAllowed } from '../clients/queries.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import { invalidCredentials } from '#platform/core/errors.ts'
import { networkOf } from '#platform/core/networks.ts'
import type { Api } from '#platform/http/caller.ts'
import { Closed } from '#platform/http/schemas.ts'
import { type Failures, signInNetwork, tooManyAttempts } from './failures.ts'
import { verifyPassword } from './passwords.ts'

/** Shorter than what the service hashes at all. */
const maxPasswordLength = 200

/** A password that a person chooses: long, and of whatever characters. */
export const NewPassword = Type.String({
  minLength: 12,
  maxLength: maxPasswordLength,
  description: 'Of 12 characters or more, whatever they are, but none of the most common passwords.',
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
 * @throws ApiError 401 for a wrong one and for a person who is blocked, 429 for who failed too often.
 */
export type CheckPassword = (
  email: string,
  password: string,
  address: string,
) => Promise<{ readonly clientId: string; readonly api: Api }>

/** Attempts at one account in a minute from all networks from which the person has not signed in. */
const strangersAllowed = 20

/**
 * Opens the check of passwords. A password that a person chose can be guessed, and its hash takes time: other than a secret it is not verified
 * when there were too many attempts in the minute: at the account from the network, at the account from all networks that are new to it, and of
 * the network. The last two do not concern who signed in from the network before, so that the guesses of others neither delay nor refuse a right
 * password. Each attempt is counted before it is judged: those at once are not more than those one after the other.
 */
export function openPasswordCheck(database: Database, key: Buffer, failures: Failures): CheckPassword {
  return async (email, password, address) => {
    const normal = email.trim().toLowerCase()
    const person = await readPerson(database, normal)
    const isKnown =
      person !== null && person.networks.includes(`\\x${signInNetwork(key, person.clientId, address).toString('hex')}`)
    const networkWait = isKnown ? null : failures.waitOf(address)
    if (networkWait !== null) throw tooManyAttempts(networkWait)
    const counted = [{ bucket: failures.bucketOf(normal, address), allowed: failuresAllowed }]
    if (!isKnown) counted.push({ bucket: failures.bucketOf(normal, null), allowed: strangersAllowed })
    for (const { bucket, allowed } of counted) {
      const waitSeconds = await failures.attempt(bucket, allowed)
      if (waitSeconds !== null) throw await failures.failed(address, tooManyAttempts(waitSeconds))
    }
    const turn = isKnown ? { known: person.clientId } : { network: networkOf(address) }
    const isRight = await verifyPassword(person?.passwordHash ?? null, password, turn)
    // Only the admins know who is blocked.
    if (!isRight || person === null || person.isBlocked) {
      throw await failures.failed(address, invalidCredentials('wrong-password'))
    }
    await failures.forgive(counted.map(({ bucket }) => bucket))
    return { clientId: person.clientId, api: person.api }
  }
}

interface Person {
  readonly clientId: string
  readonly api: Api
  readonly passwordHash: string | null
  readonly isBlocked: boolean
  /** From which the person signed in, as PostgreSQL writes bytes. */
  readonly networks: readonly string[]
}

async function readPerson(sql: Sql, email: string): Promise<Person | null> {
  const rows = await sql.query<Person>(
    `select client.id as "clientId", client.api, password_hash as "passwordHash", client.revoked_at is not null as "isBlocked",
            array(select network::text from unnest(sign_in_networks) network) as networks
       from person join client on client.id = person.client_id where person.email = $1`,
    [email],
  )
  return rows[0] ?? null
}
