import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What the network between the service and PostgreSQL does. */
interface NetworkSettings {
  /** In each direction. */
  latencyMs: number
  /** For each connection, in each direction. */
  bytesPerSecond: number
  /** Breaks a connection when it sends each n-th message that matches; `arrives`: after PostgreSQL gets it. null: never. */
  breakAt: { readonly pattern: RegExp; readonly every: number; readonly arrives: boolean } | null
}

export interface DatabaseProxy {
  /** The address of the database through the proxy. */
  readonly url: string
  readonly settings: NetworkSettings
  /** Connections that it has broken. */
  readonly broken: number
  close(): Promise<void>
}

/** A TCP proxy on loopback to the PostgreSQL of the URL, which may be a unix socket. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const port = Number(target.port || 5432)
  const settings: NetworkSettings = { latencyMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY, breakAt: null }
  const sockets = new Set<Socket>()
  let broken = 0
  let matches = 0
  const isBreaking = (chunk: Buffer): boolean => {
    if (settings.breakAt === null || !settings.breakAt.pattern.test(chunk.toString('latin1'))) return false
    matches += 1
    return matches % settings.breakAt.every === 0
  }
  /** Passes the chunks on in their order, each after the latency. */
  const pass = (from: Socket, to: Socket, isFromClient: boolean) => {
    let previous = Promise.resolve()
    const deliver = async (earlier: Promise<void>, chunk: Buffer, arrival: number): Promise<void> => {
      await earlier
      await pause(Math.max(0, arrival - performance.now()))
      if (isFromClient && isBreaking(chunk)) {
        broken += 1
        from.destroy()
        if (settings.breakAt?.arrives === true) to.end(chunk)
        else to.destroy()
        return
      }
      if (!to.destroyed) to.write(chunk)
      await pause((chunk.length / settings.bytesPerSecond) * 1_000)
      from.resume()
    }
    from.on('data', (chunk) => {
      const arrival = performance.now() + settings.latencyMs
      from.pause()
      previous = deliver(previous, chunk, arrival)
    })
    from.on('close', () => void previous.then(() => to.end()))
    // A broken connection is also closed.
    from.on('error', () => {})
  }
  const server = createServer((client) => {
    const database = folder === null ? connect(port, target.hostname) : connect(`${folder}/.s.PGSQL.${port}`)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    pass(client, database, true)
    pass(database, client, false)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.searchParams.set('sslmode', 'disable')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    settings,
    get broken() {
      return broken
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
