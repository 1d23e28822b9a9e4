import { transact } from '#platform/core/transaction.ts'
import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { isDatabaseAway } from '#platform/core/database-errors.ts'
import { openLog } from '#platform/core/log.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A message of PostgreSQL's protocol: type, length, content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(letter), length, content])
}

/** Accepts each session and ends it in the same packet, as a server does that is stopped at that moment. */
function startGreeter(): Promise<number> {
  const failure = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', '']
  const greeting = Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('Z', Buffer.from('I')),
    message('E', Buffer.from(failure.map((field) => `${field}\0`).join(''))),
  ])
  return listen((socket) => socket.once('data', () => socket.end(greeting)))
}

/** @returns the port. */
async function listen(serve: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as { port: number }).port
}

function openOn(port: number): Database {
  const url = `postgres://vigencia@127.0.0.1:${port}/vigencia?sslmode=disable`
  const options = { url, connections: 2, namedStatements: true, applicationName: 'test' }
  const database = openDatabase(options, openLog('silent'))
  closing.push(() => database.close())
  return database
}

test('a connection that breaks when it is opened fails its statement, and not the process', async () => {
  const database = openOn(await startGreeter())
  const statements = [
    () => database[transact]((sql) => sql.query('select 1')),
    () => database.query('select 1'),
    () => database.connect().then((client) => client.query('select 1')),
  ]
  for (const one of statements) {
    const error = await one().catch((cause: unknown) => cause)
    expect(isDatabaseAway(error)).toBe(true)
  }
})

test('a connection that is not opened in time is one of a database that is away: the list gets 503, and no error is logged', async () => {
  const database = openOn(await listen(() => {}))
  const work = [database.query('select 1'), database.connect()]
  const results = await Promise.allSettled(work)
  expect(results.map((one) => one.status === 'rejected' && isDatabaseAway(one.reason))).toEqual([true, true])
})
