import { createHash, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../core/database.ts'
import { ApiError } from '../core/errors.ts'
import { countFailure } from '../clients/queries.ts'

interface Failure {
  readonly bucket: number
  readonly address: string
  /** null: the bucket is not full. */
  readonly blockedForSeconds: number | null
  /** What is wrong. */
  readonly error: ApiError
}

/** Failed attempts to authenticate: the checks of secrets and of passwords share one count. */
export interface Failures {
  /** Counts a failure. @returns the error of the response: 429 in place of its own when there were too many. */
  count(failure: Failure): Promise<ApiError>
  /** Seconds until passwords from this address are verified again; null: now. */
  waitOf(address: string): number | null
}

const promptFailures = 50
const failureDelayMs = { min: 250, max: 1_000 }
const windowMs = 60_000
const maxAddresses = 10_000

/**
 * Opens the count. It delays the response to a failure when its address had many of them in the last minute, so that a flood of guesses does
 * not take the processor from other clients. The delay is random: many connections do not return at the same moment.
 */
export function openFailures(database: Sql): Failures {
  let failures = new Map<string, number>()
  let since = Date.now()
  return {
    async count({ bucket, address, blockedForSeconds, error }) {
      const waitSeconds = blockedForSeconds ?? (await countFailure(database, bucket))
      if (Date.now() - since > windowMs || failures.size > maxAddresses) {
        failures = new Map()
        since = Date.now()
      }
      const count = (failures.get(address) ?? 0) + 1
      failures.set(address, count)
      if (count > promptFailures) await pause(randomInt(failureDelayMs.min, failureDelayMs.max))
      return waitSeconds === null ? error : tooManyAttempts(waitSeconds)
    },
    waitOf(address) {
      const leftMs = since + windowMs - Date.now()
      return leftMs > 0 && (failures.get(address) ?? 0) > promptFailures ? Math.ceil(leftMs / 1_000) : null
    },
  }
}

/** 429 for who failed too often. */
export function tooManyAttempts(waitSeconds: number): ApiError {
  return new ApiError('too-many-attempts', {}, { headers: { 'retry-after': String(waitSeconds) } })
}

/** One of 2^20 counters of failures, so that their number is bounded. @param name a client id or an e-mail address. */
export function failureBucket(name: string, address: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, address]))
    .digest()
  return digest.readUInt32BE() >>> 12
}
