import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { opened, responseLength } from './load.ts'

/** A request that is due. */
export interface DueRequest {
  /** Makes the bytes when the request is sent: what waits needs little memory. */
  readonly bytes: () => Buffer
  /** By `performance.now()`. */
  readonly dueAt: number
  /** Called once, with the status such as `200`, or the code of the socket's error and no body. The body has a character for each byte. */
  readonly onEnd: (status: string, body: string) => void
}

/** Sends what is due on idle connections, in order; what finds none waits. A connection that breaks is opened again. */
export class Sender {
  readonly #urls: readonly string[]
  readonly #idle: Socket[] = []
  readonly #waiting: DueRequest[] = []
  /** Of `#waiting`: those before are sent. */
  #next = 0
  #underWay = 0
  #isClosed = false

  private constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  /** Opens so many connections, spread over the servers. */
  static async open(urls: readonly string[], connections: number): Promise<Sender> {
    const sender = new Sender(urls)
    const all = Array.from({ length: connections }, (_, n) => sender.#connect(n % urls.length))
    sender.#idle.push(...(await Promise.all(all)))
    return sender
  }

  /** Requests without a connection yet. */
  get waiting(): number {
    return this.#waiting.length - this.#next
  }

  /** Requests whose response is not complete. */
  get underWay(): number {
    return this.#underWay
  }

  send(request: DueRequest): void {
    this.#waiting.push(request)
    this.#sendNext()
  }

  /** Resolves when every request has its response. */
  async done(): Promise<void> {
    while (this.#underWay + this.waiting > 0) await pause(5)
  }

  close(): void {
    this.#isClosed = true
    for (const socket of this.#idle) socket.destroy()
  }

  #connect(server: number): Promise<Socket> {
    const { hostname, port } = new URL(this.#urls[server] ?? '')
    return opened(hostname, Number(port)).then((socket) => {
      socket.removeAllListeners('error')
      // Also while it is idle: a server that ends closes it, and one that is never used gets 408 from Node after a while.
      socket.on('error', () => {}).resume()
      socket.once('close', () => this.#replace(socket, server))
      return socket
    })
  }

  #replace(closed: Socket, server: number): void {
    const index = this.#idle.indexOf(closed)
    if (index >= 0) this.#idle.splice(index, 1)
    void this.#reconnect(server)
  }

  async #reconnect(server: number): Promise<void> {
    while (!this.#isClosed) {
      const socket = await this.#connect(server).catch(() => null)
      if (socket !== null) {
        if (this.#isClosed) socket.destroy()
        else this.#idle.push(socket)
        return this.#sendNext()
      }
      await pause(100)
    }
  }

  #take(): DueRequest | undefined {
    const request = this.#waiting[this.#next]
    if (request === undefined) return undefined
    this.#next += 1
    if (this.#next > 1_000 && this.#next * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#next)
      this.#next = 0
    }
    return request
  }

  #sendNext(): void {
    // The one that has been idle longest, so that all are used and each server gets its share.
    const socket = this.#idle.shift()
    if (socket === undefined) return
    const request = this.#take()
    if (request === undefined) {
      this.#idle.unshift(socket)
      return
    }
    this.#underWay += 1
    let received = ''
    const end = (status: string, body: string) => {
      socket.off('data', onData).off('error', onError).off('close', onClose)
      this.#underWay -= 1
      if (!socket.destroyed) this.#idle.push(socket)
      request.onEnd(status, body)
      this.#sendNext()
    }
    const onData = (chunk: Buffer) => {
      // Bytes, not characters: content-length counts them.
      received += chunk.toString('latin1')
      const length = responseLength(received)
      if (length === null || received.length < length) return
      end(received.slice(9, 12), received.slice(received.indexOf('\r\n\r\n') + 4))
    }
    const onError = (error: NodeJS.ErrnoException) => end(error.code ?? 'error', '')
    const onClose = () => end('closed', '')
    socket.on('data', onData).once('error', onError).once('close', onClose)
    socket.write(request.bytes())
  }
}
