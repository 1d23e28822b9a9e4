/*
 * One hostile client, in a process of its own: `node bench/attacks.ts NAME`, with what it needs as JSON in ATTACK.
 * Prints `ready` once the attack is under way, holds it until SIGTERM, then prints what it got: `{ "statuses": { "200": 3 } }`.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What an attack needs to know. */
export interface Target {
  readonly url: string
  readonly authorization: string
  /** Of a second client, for what is limited for each. */
  readonly otherAuthorization: string
  /** Of an operator, for a file of decisions. */
  readonly adminAuthorization: string
  readonly companyTaxId: string
  /** Path of a request of many parts. */
  readonly requestPath: string
  /** Path of a file of 16 MiB. */
  readonly filePath: string
  /** Path and query of a signed upload address. */
  readonly uploadPath: string
}

const mebibyte = 1024 * 1024
const statuses: Record<string, number> = {}
const count = (name: string) => {
  statuses[name] = (statuses[name] ?? 0) + 1
}
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())

const target = JSON.parse(process.env['ATTACK'] ?? '{}') as Target
const { hostname, port, host } = new URL(target.url)
const auth = { authorization: target.authorization }

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
    socket.on('error', () => {})
  })
}

function head(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Sends requests one after the other on one connection, and on a new one when the server closes it. */
async function loop(next: () => readonly (string | Buffer)[]): Promise<void> {
  while (!stopping.signal.aborted) {
    const socket = await open().catch(() => null)
    if (socket === null) {
      count('refused')
      await pause(100)
      continue
    }
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('data', (chunk: Buffer) => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1', 0, 12))?.[1]
      if (status === undefined) return
      count(status)
      if (!stopping.signal.aborted && !socket.destroyed) for (const part of next()) socket.write(part)
    })
    stopping.signal.addEventListener('abort', () => socket.destroy())
    for (const part of next()) socket.write(part)
    await ended
    if (!stopping.signal.aborted) count('closed')
  }
}

/** Opens connections that send something and then neither send nor read; counts those that get a response. */
async function hold(connections: number, parts: readonly (string | Buffer)[], reads: boolean): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open().catch(() => null)))
  for (const socket of sockets) {
    if (socket === null) {
      count('refused')
      continue
    }
    if (reads) {
      socket.on('data', (chunk: Buffer) =>
        count(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1', 0, 12))?.[1] ?? 'more'),
      )
    } else socket.pause()
    socket.once('close', () => !stopping.signal.aborted && count('closed'))
    stopping.signal.addEventListener('abort', () => socket.destroy())
    for (const part of parts) socket.write(part)
  }
}

const json = (
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
  length = Buffer.byteLength(body),
) => [head('POST', path, { ...headers, 'content-type': 'application/json', 'content-length': String(length) }), body]

const unknownKeys = (): string =>
  `{${Array.from({ length: 116_000 }, (_, n) => `"${n.toString(36).padStart(4, '0')}":1`).join(',')}}`

const portuguese = { 'accept-language': 'pt-BR' }

/** 10,000 members, each with every error of an empty one. */
const rejected = (): string =>
  JSON.stringify({
    'company-tax-id': target.companyTaxId,
    members: Array.from({ length: 10_000 }, (_, n) => ({
      'beneficiary-type': 'primary',
      name: `${n}`,
      'tax-id': `${n}`,
    })),
  })

const wideHeader = (): string => `enrollment-id;status;${'x;'.repeat(160_000)}reason;\n`

/** Repeats a request on that many connections. */
function repeat(connections: number, parts: readonly (string | Buffer)[]): void {
  for (let n = 0; n < connections; n += 1) void loop(() => parts)
}

const page = '/v1/member?page=1&items-per-page=1&include-inactive=true'

const attacks: Record<string, () => Promise<void> | void> = {
  range: () => {
    const range = `bytes=${' '.repeat(7_000)}-${' '.repeat(7_000)}x`
    void loop(() => [head('GET', target.filePath, { ...auth, range })])
  },
  keys: () => {
    const body = unknownKeys()
    for (let n = 0; n < 6; n += 1) {
      const path = n % 2 === 0 ? '/v1/authenticate' : '/v1/enrollment/alteration/11144477735'
      void loop(() => json(path, n % 2 === 0 ? {} : auth, body))
    }
  },
  logins: () => {
    for (let n = 0; n < 300; n += 1) {
      const wrong = () =>
        JSON.stringify({
          'client-id': randomBytes(8).toString('hex'),
          'client-secret': randomBytes(32).toString('hex'),
        })
      void loop(() => json('/v1/authenticate', {}, wrong()))
    }
  },
  pages: () => repeat(64, [head('GET', page, auth)]),
  morePages: () => repeat(128, [head('GET', page, auth)]),
  rejected: () => repeat(6, json('/v1/enrollment/inclusion?dry-run=true', { ...auth, ...portuguese }, rejected())),
  parts: () => repeat(4, [head('GET', target.requestPath, { ...auth, ...portuguese, 'accept-encoding': 'br' })]),
  openapi: () => repeat(8, [head('GET', '/openapi.json', { 'accept-encoding': 'br' })]),
  columns: () =>
    repeat(1, [
      head('POST', '/operator/v1/enrollment/decision', {
        authorization: target.adminAuthorization,
        'content-type': 'text/csv',
        'content-length': String(Buffer.byteLength(wideHeader())),
      }),
      wideHeader(),
    ]),
  downloads: () => hold(32, [head('GET', target.filePath, auth)], false),
  lists: () => hold(8, [head('GET', '/v1/member', auth)], false),
  uploads: () =>
    hold(
      64,
      [
        head('PUT', target.uploadPath, { 'content-type': 'application/pdf', 'content-length': String(mebibyte) }),
        '%PDF-1.7\n',
      ],
      true,
    ),
  calls: async () => {
    for (const authorization of [target.authorization, target.otherAuthorization]) {
      await hold(256, json('/v1/enrollment/inclusion', { authorization }, '{"company-tax-id": ', 1_000), true)
    }
  },
  bodies: async () => {
    // All of a body but its last byte, 100 times: one buffer, so that the memory measured is the service's.
    const body = Buffer.alloc(16 * mebibyte - 1, ' ')
    await hold(100, json('/v1/enrollment/inclusion', auth, body, body.length + 1), true)
  },
}

const [name = ''] = process.argv.slice(2)
const attack = attacks[name]
if (attack === undefined) throw new Error(`no such attack: ${name}`)
await attack()
console.log('ready')
// Paused sockets do not keep a process alive.
const keepRunning = setInterval(() => {}, 1_000)
await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
clearInterval(keepRunning)
console.log(JSON.stringify({ statuses }))
process.exit(0)
