import { isDatabaseAway, sqlState } from '../core/database-errors.ts'
import { ApiError } from '../core/errors.ts'
import { SftpError } from '../core/sftp-error.ts'
import { ThreadTimeoutError } from '../core/threads.ts'
import type { StepReason } from '#kernel/steps.ts'

/** Why a step failed: never the text of the error, which may name a person. */
export interface Failure {
  readonly reason: StepReason
  /** The code of the error, or its class. */
  readonly error: string
}

/** A statement, a lock, and a transaction that was idle, for too long. */
const timeouts = ['57014', '55P03', '25P03']

export function failureOf(cause: unknown): Failure {
  const state = sqlState(cause)
  if (cause instanceof ApiError) {
    return { reason: cause.code.endsWith('storage-unavailable') ? 'storage' : 'unexpected-error', error: cause.code }
  }
  if (cause instanceof SftpError) return { reason: 'carrier-server', error: cause.code }
  const error = state ?? (cause instanceof Error ? cause.name.slice(0, 100) : 'error')
  if (cause instanceof ThreadTimeoutError || (state !== null && timeouts.includes(state))) {
    return { reason: 'time-limit', error }
  }
  return { reason: isDatabaseAway(cause) ? 'database' : 'unexpected-error', error }
}
