import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limits } from '../../core/limits.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly minimumSpeed: MinimumSpeed
  }
}

/** Bytes of one direction of a connection. */
interface Transfer {
  /** How many have passed. */
  passed(): number
  /** How many wait for the client; 0 when the service is behind. For a body 1. */
  pending(): number
  tooSlow(): void
  window: { readonly start: number; readonly passed: number; readonly bytes: number; readonly ms: number } | null
}

/**
 * Ends transfers whose client is slower than the minimum, averaged over a window: a body that is sent or a response that is read too slowly.
 * Time in which the service itself is behind does not count.
 */
export class MinimumSpeed {
  readonly #bytesPerMs: number
  readonly #windowMs: number
  readonly #transfers = new Set<Transfer>()
  #timer: NodeJS.Timeout | null = null

  constructor({ bytesPerSecond, windowMs }: Limits['minimumSpeed']) {
    this.#bytesPerMs = bytesPerSecond / 1_000
    this.#windowMs = windowMs
  }

  /** @param tooSlow ends the connection. */
  watchBody(request: IncomingMessage, tooSlow: () => void): void {
    const { socket } = request
    const transfer: Transfer = {
      passed: () => socket.bytesRead,
      pending: () => (request.complete || request.readableLength >= request.readableHighWaterMark ? 0 : 1),
      tooSlow,
      window: null,
    }
    this.#watch(transfer, (end) => request.once('close', end).once('end', end))
  }

  /** Destroys the response when its client reads too slowly. */
  watchResponse(response: ServerResponse): void {
    const { socket } = response
    if (socket === null || response.destroyed) return
    const transfer: Transfer = {
      passed: () => socket.bytesWritten - socket.writableLength,
      pending: () => socket.writableLength,
      tooSlow: () => response.destroy(),
      window: null,
    }
    this.#watch(transfer, (end) => response.once('close', end))
  }

  #watch(transfer: Transfer, onEnd: (end: () => void) => void): void {
    this.#transfers.add(transfer)
    onEnd(() => {
      this.#transfers.delete(transfer)
      if (this.#transfers.size > 0 || this.#timer === null) return
      clearInterval(this.#timer)
      this.#timer = null
    })
    this.#timer ??= setInterval(() => this.#check(performance.now()), this.#windowMs / 6).unref()
  }

  #check(now: number): void {
    for (const transfer of this.#transfers) {
      const pending = transfer.pending()
      const passed = transfer.passed()
      const { window } = transfer
      const isOver = window !== null && now - window.start >= window.ms
      if (pending > 0 && isOver && passed - window.passed < window.bytes) {
        this.#transfers.delete(transfer)
        transfer.tooSlow()
      } else if (pending === 0) {
        transfer.window = null
      } else if (window === null || isOver) {
        // A large write shows as passed only as a whole: it gets the time that the minimum speed takes for it.
        const ms = Math.max(this.#windowMs, pending / this.#bytesPerMs)
        transfer.window = { start: now, passed, bytes: ms * this.#bytesPerMs, ms }
      }
    }
  }
}
