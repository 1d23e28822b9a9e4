import { createHmac, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { countAttempt, discountAttempts, failuresAllowed } from '../clients/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { networkOf } from '#platform/core/networks.ts'

interface Failure {
  readonly bucket: number
  readonly address: string
  /** null: the bucket is not full. */
  readonly blockedForSeconds: number | null
  /** What is wrong. */
  readonly error: ApiError
}

/** Failed attempts to authenticate: the checks of secrets, passwords and passkeys share one count. Addresses count by network. */
export interface Failures {
  /** The counter of attempts at this name from the network of the address; null: from all networks. @param name a client id or an e-mail address. */
  bucketOf(name: string, address: string | null): number
  /** Counts an attempt before it is judged. @returns seconds to wait when there were too many in the minute, else null. */
  attempt(bucket: number, allowed: number): Promise<number | null>
  /** Takes back attempts that were right. */
  forgive(buckets: readonly number[]): Promise<void>
  /** Counts a failure of the bucket and of the network. @returns the error of the response: 429 in place of its own when there were too many. */
  count(failure: Failure): Promise<ApiError>
  /** Counts a failure of the network. @returns the error. */
  failed(address: string, error: ApiError): Promise<ApiError>
  /** Seconds until passwords from the network of this address are verified again; null: now. */
  waitOf(address: string): number | null
}

const promptFailures = 50
const failureDelayMs = { min: 250, max: 1_000 }
const windowMs = 60_000
const maxNetworks = 10_000

/**
 * Opens the count. It delays the response to a failure when its network had many of them in the last minute, so that a flood of guesses does
 * not take the processor from other clients. The delay is random: many connections do not return at the same moment.
 * @param key of the installation: without it no one can find another name whose attempts are counted in the same bucket.
 */
export function openFailures(database: Sql, key: Buffer): Failures {
  let failures = new Map<string, number>()
  let since = Date.now()
  const failed = async (address: string, error: ApiError): Promise<ApiError> => {
    if (Date.now() - since > windowMs || failures.size > maxNetworks) {
      failures = new Map()
      since = Date.now()
    }
    const network = networkOf(address)
    const count = (failures.get(network) ?? 0) + 1
    failures.set(network, count)
    if (count > promptFailures) await pause(randomInt(failureDelayMs.min, failureDelayMs.max))
    return error
  }
  return {
    bucketOf: (name, address) => failureBucket(key, name, address),
    attempt: (bucket, allowed) => countAttempt(database, bucket, allowed),
    forgive: (buckets) => discountAttempts(database, buckets),
    failed,
    async count({ bucket, address, blockedForSeconds, error }) {
      const waitSeconds = blockedForSeconds ?? (await countAttempt(database, bucket, failuresAllowed))
      return failed(address, waitSeconds === null ? error : tooManyAttempts(waitSeconds))
    },
    waitOf(address) {
      const leftMs = since + windowMs - Date.now()
      return leftMs > 0 && (failures.get(networkOf(address)) ?? 0) > promptFailures ? Math.ceil(leftMs / 1_000) : null
    },
  }
}

const counts = new WeakMap<object, Failures>()

/** The count of the process: one for all that authenticates. */
export function failuresOf(context: { readonly database: Sql; readonly failureKey: Buffer }): Failures {
  const failures = counts.get(context) ?? openFailures(context.database, context.failureKey)
  counts.set(context, failures)
  return failures
}

/** 429 for who failed too often. */
export function tooManyAttempts(waitSeconds: number): ApiError {
  return new ApiError('too-many-attempts', {}, { headers: { 'retry-after': String(waitSeconds) } })
}

/** One of 2^20 counters, so that their number is bounded. */
export function failureBucket(key: Buffer, name: string, address: string | null): number {
  return digest(key, [name, address === null ? null : networkOf(address)]).readUInt32BE() >>> 12
}

/** What is stored of the network from which a person signed in: nothing can be read from it, and those of two people cannot be compared. */
export function signInNetwork(key: Buffer, clientId: string, address: string): Buffer {
  return digest(key, ['sign-in', clientId, networkOf(address)])
}

const digest = (key: Buffer, parts: readonly (string | null)[]): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest()
