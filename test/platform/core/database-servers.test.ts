import { transact } from '#platform/core/transaction.ts'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { isDatabaseAway } from '#platform/core/database-errors.ts'
import { parseServers } from '#platform/core/database-url.ts'
import { openLog } from '#platform/core/log.ts'
import { waitForDatabase } from '#platform/core/wait-for-database.ts'
import { openScratch } from '../../access/auth/scratch-database.ts'
import { onServer } from '../../world/engine.ts'

/* Failovers of a real primary are in test/long/failover.test.ts. */

const targets = (url: string) => parseServers(url)?.list.map(({ host, port }) => `${host} ${port}`)

test.each([
  ['postgres://u:p@db1:5433,db2/app?target_session_attrs=read-write', ['db1 5433', 'db2 5432']],
  ['postgresql://u@db1,db2:5433/app', ['db1 5432', 'db2 5433']],
  ['postgres://u@[::1]:5433,10.0.0.7/app', ['::1 5433', '10.0.0.7 5432']],
  ['postgres://u@/app?host=%2Frun%2Fa,%2Frun%2Fb&port=5433', ['/run/a 5433', '/run/b 5433']],
  ['postgres://u@/app?host=db1,db2&port=1,2&sslmode=verify-full', ['db1 1', 'db2 2']],
  ['postgres://u@db1/app?target_session_attrs=primary', ['db1 5432']],
  ['postgres://u@db1/app', undefined],
  ['postgres://u@db1/app?target_session_attrs=any', undefined],
  ['postgres:///app?host=/run/postgresql', undefined],
])('the servers of %s', (url, expected) => {
  expect(targets(url)).toEqual(expected)
})

test('each server is a URL of its own, with the user, the database and the other parameters', () => {
  const { list, target } =
    parseServers('postgres://u:p%40@db1,db2/app?sslmode=require&target_session_attrs=primary') ?? {}
  expect(list?.map(({ url }) => url)).toEqual([
    'postgres://u:p%40@localhost/app?host=db1&port=5432&sslmode=require',
    'postgres://u:p%40@localhost/app?host=db2&port=5432&sslmode=require',
  ])
  expect(target).toBe('primary')
})

test.each([
  ['postgres://u@db1,db2/app?target_session_attrs=any', /must be read-write or primary.* It is "any"/],
  ['postgres://u@db1/app?target_session_attrs=standby', /must be read-write or primary/],
  ['postgres://u@/app?host=a,b,c&port=1,2', /3 hosts and 2 ports/],
  ['postgres://u@db1,/app', /a host without a name/],
  ['postgres://u@db1:x,db2/app', /a host without a name/],
])('refused: %s', (url, message) => {
  expect(() => parseServers(url)).toThrow(message)
})

const engine = new URL(inject('engineUrl'))
const socket = engine.searchParams.get('host') ?? engine.hostname
const port = engine.port || '5432'

let scratch: Awaited<ReturnType<typeof openScratch>>
let name: string
const opened: Database[] = []
const silent: Server[] = []

beforeAll(async () => {
  scratch = await openScratch()
  const [row] = await scratch.database.query<{ name: string }>('select current_database() as name')
  name = row?.name ?? ''
})
afterEach(async () => {
  await onServer(inject('engineUrl'), `alter database ${name} reset default_transaction_read_only`)
  for (const database of opened.splice(0)) await database.close()
  for (const server of silent.splice(0)) server.close()
})
afterAll(() => scratch.close())

/** The scratch database over these hosts of one URL. */
function open(hosts: readonly (readonly [host: string, port: string])[], target = 'read-write'): Database {
  const { username, password } = engine
  const list = hosts.map(([host]) => encodeURIComponent(host)).join(',')
  const ports = hosts.map((one) => one[1]).join(',')
  const url = `postgres://${username}:${password || 'never-shown'}@/${name}?host=${list}&port=${ports}&target_session_attrs=${target}`
  const options = { url, connections: 1, namedStatements: true, applicationName: 'servers' }
  const database = openDatabase(options, openLog('silent'))
  opened.push(database)
  return database
}

const away = ['/nowhere', '5432'] as const
const real = [socket, port] as const
const one = (database: Database) => database.query('select 1 as one')
const setReadOnly = (value: 'on' | 'off') =>
  onServer(inject('engineUrl'), `alter database ${name} set default_transaction_read_only = ${value}`)

test('a server that is away is passed over, for statements and for connections outside the pool', async () => {
  const database = open([away, real])
  expect(await one(database)).toEqual([{ one: 1 }])
  const client = await database.connect()
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
})

test('a server that accepts the connection and says nothing is passed over within its share of the time', async () => {
  const server = createServer((connection) => connection.on('error', () => {}))
  silent.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const silentPort = typeof address === 'object' ? String(address?.port) : ''
  expect(await one(open([['127.0.0.1', silentPort], real]))).toEqual([{ one: 1 }])
})

test('without a server that accepts writes the error names each with its reason, never the password; and it counts as away', async () => {
  await setReadOnly('on')
  const database = open([away, real])
  const error = await one(database).catch((cause: unknown) => cause)
  expect(String(error)).toContain(
    `/nowhere:5432 (connect ENOENT /nowhere/.s.PGSQL.5432); ${socket}:${port} (read-only)`,
  )
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('never-shown')
  expect(isDatabaseAway(error)).toBe(true)
  await setReadOnly('off')
  expect(await one(database)).toEqual([{ one: 1 }])
})

test('a start that waits in vain for a server that accepts writes names them', async () => {
  await setReadOnly('on')
  const starting = waitForDatabase(open([away, real]), openLog('silent'), new AbortController().signal, 1)
  await expect(starting).rejects.toThrow(`Last: no server of the database can be used: /nowhere:5432 (connect ENOENT`)
})

test('target_session_attrs=primary accepts a primary whose transactions are read-only by default', async () => {
  await setReadOnly('on')
  expect(await one(open([away, real], 'primary'))).toEqual([{ one: 1 }])
})

test('a connection whose server became read-only is replaced', async () => {
  const database = open([away, real])
  await database.execute('create table written (text text)')
  const write = () => database[transact]((sql) => sql.execute(`insert into written values ('x')`))
  await database.execute('set default_transaction_read_only = on')
  await expect(write()).rejects.toMatchObject({ code: '25006' })
  expect(await write()).toBe(1)
})

test('a server that becomes silent: the statement is given up, also a commit, and counts as away', async () => {
  const passing = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(
      socket.startsWith('/') ? { path: `${socket}/.s.PGSQL.${port}` } : { host: socket, port: Number(port) },
    )
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      passing.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.on('data', (data) => void (isSilent || to.write(data)))
    }
  })
  let isSilent = false
  silent.push(proxy)
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const database = open([['127.0.0.1', typeof address === 'object' ? String(address?.port) : ''], real])
  await one(database)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const committing = database[transact](async (sql) => {
      await sql.execute('select 1')
      isSilent = true
    })
    let error: unknown
    committing.catch((cause: unknown) => (error = cause))
    while (error === undefined) await vi.advanceTimersByTimeAsync(1_000)
    expect(isDatabaseAway(error)).toBe(true)
  } finally {
    vi.useRealTimers()
    for (const end of passing) end.destroy()
  }
  // The silent one is passed over.
  expect(await one(database)).toEqual([{ one: 1 }])
})

test('a server that refuses the user ends the search: the reason is shown, with the server', async () => {
  const { username } = engine
  const list = `${encodeURIComponent(socket)},%2Fnowhere`
  const url = `postgres://${username}@/no_such_database?host=${list}&port=${port}`
  const database = openDatabase(
    { url, connections: 1, namedStatements: true, applicationName: 'servers' },
    openLog('silent'),
  )
  opened.push(database)
  await expect(one(database)).rejects.toMatchObject({ code: '3D000', server: `${socket}:${port}` })
})
