import { connect, type Socket } from 'node:net'

/** Latencies in milliseconds of the responses received, and the duration of the whole. */
export interface Drive {
  readonly latencies: number[]
  /** How many of the responses were 429, where those are accepted. */
  readonly refused: number
  readonly seconds: number
}

/** The bytes of a GET on a connection that stays open. */
export function getRequest(url: string, path: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

/** The bytes of a POST on a connection that stays open. */
export function postRequest(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  contentType = 'application/json',
): Buffer {
  const length = Buffer.byteLength(body)
  const all = { host: new URL(url).host, ...headers, 'content-type': contentType, 'content-length': String(length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Keeps `inFlight` requests under way, each on a connection of its own, for the time given. Speaks HTTP on bare sockets: a
 * client library would take as much of the two cores as the servers that are to be compared.
 * @param until ends the drive early when it resolves.
 */
export async function drive(
  url: string,
  requests: readonly Buffer[],
  options: {
    readonly inFlight: number
    readonly milliseconds: number
    readonly until?: Promise<unknown>
    /** Accepts 429. */
    readonly takes429?: boolean
    /** Milliseconds between a response and the next request. */
    readonly pauseMs?: number
  },
): Promise<Drive> {
  const { hostname, port } = new URL(url)
  const sockets = await Promise.all(Array.from({ length: options.inFlight }, () => opened(hostname, Number(port))))
  const latencies: number[] = []
  const start = performance.now()
  let end = start + options.milliseconds
  void options.until?.finally(() => {
    end = 0
  })
  let turn = 0
  let refused = 0
  const isTaken = (head: string) => {
    if (head === 'HTTP/1.1 200') return true
    if (head !== 'HTTP/1.1 429' || options.takes429 !== true) return false
    refused += 1
    return true
  }
  const next = () => requests[turn++ % requests.length] as Buffer
  try {
    await Promise.all(
      sockets.map((socket) => talk(socket, next, () => performance.now() < end, latencies, isTaken, options.pauseMs)),
    )
    return { latencies, refused, seconds: (performance.now() - start) / 1_000 }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** A long response: the time of its first and last byte, and its bytes with the head. */
export interface Drained {
  readonly firstByteMs: number
  readonly milliseconds: number
  readonly bytes: number
}

/** Reads a whole response and discards it, on a new connection each time. */
export async function drain(url: string, path: string, headers: Record<string, string>): Promise<Drained> {
  const { hostname, port } = new URL(url)
  const socket = await opened(hostname, Number(port))
  const start = performance.now()
  let firstByteMs = Number.NaN
  let bytes = 0
  let head = ''
  socket.write(getRequest(url, path, { ...headers, connection: 'close' }))
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (bytes === 0) {
      firstByteMs = performance.now() - start
      head = chunk.toString('latin1', 0, 500)
    }
    bytes += chunk.length
  }
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`not 200: ${head}`)
  return { firstByteMs, milliseconds: performance.now() - start, bytes }
}

export function opened(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function talk(
  socket: Socket,
  next: () => Buffer,
  goesOn: () => boolean,
  latencies: number[],
  isTaken: (head: string) => boolean,
  pauseMs = 0,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let got = ''
    const send = () => {
      sentAt = performance.now()
      socket.write(next())
    }
    socket.on('data', (chunk: Buffer) => {
      // Bytes, not characters: content-length counts them.
      got += chunk.toString('latin1')
      const length = responseLength(got)
      if (length === null || got.length < length) return
      latencies.push(performance.now() - sentAt)
      if (!isTaken(got.slice(0, 12))) {
        reject(new Error(`not 200: ${got.slice(0, 500)}`))
        return
      }
      got = ''
      if (!goesOn()) resolve()
      else if (pauseMs > 0) setTimeout(send, pauseMs)
      else send()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    send()
  })
}

/** The length of the whole response, once its head is received. */
export function responseLength(got: string): number | null {
  const head = got.indexOf('\r\n\r\n')
  if (head < 0) return null
  const length = /^content-length: (\d+)/im.exec(got.slice(0, head))?.[1]
  if (length === undefined) throw new Error('an answer without content-length cannot be measured')
  return head + 4 + Number(length)
}
