import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '#platform/core/errors.ts'

/** One upload of a document after the other: of several to one address the first to end wins, and the others then get their 410. */
export class UploadTurns {
  readonly #maxWaitMs: number
  readonly #last = new Map<string, Promise<void>>()

  constructor(maxWaitMs = 30_000) {
    this.#maxWaitMs = maxWaitMs
  }

  /** @param isSecond whether another one was under way. @throws ApiError 503 when it still is after the time to wait. */
  async run<T>(documentId: string, work: (isSecond: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(documentId)
    const { promise: own, resolve: end } = Promise.withResolvers<void>()
    const turn = bothOf(before, own)
    this.#last.set(documentId, turn)
    try {
      if (before !== undefined) await this.#endOf(before)
      return await work(before !== undefined)
    } finally {
      end()
      if (this.#last.get(documentId) === turn) this.#last.delete(documentId)
    }
  }

  async #endOf(before: Promise<void>): Promise<void> {
    const waiting = new AbortController()
    const timeout = pause(this.#maxWaitMs, 'timeout', { signal: waiting.signal }).catch(() => 'ended')
    try {
      if ((await Promise.race([before, timeout])) === 'timeout') throw unavailable('upload-in-progress', 1)
    } finally {
      waiting.abort()
    }
  }
}

async function bothOf(before: Promise<void> | undefined, own: Promise<void>): Promise<void> {
  await before
  await own
}
