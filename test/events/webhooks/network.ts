import { Agent, type ClientRequestArgs } from 'node:http'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { vi } from 'vitest'

export interface Network {
  /** For each connection the addresses that it could be made to, after the lookup of the sender. */
  readonly connected: readonly (readonly string[])[]
  close(): void
}

type CreateConnection = (options: ClientRequestArgs, callback?: (error: Error | null, socket: Socket) => void) => Socket

/** A network in which every address leads to one server on loopback. It replaces connections of `http`, below the lookup of the caller. */
export function openNetwork(port: number): Network {
  const connected: string[][] = []
  const prototype = Agent.prototype as unknown as { createConnection: CreateConnection }
  const connect = prototype.createConnection
  const spy = vi.spyOn(prototype, 'createConnection')
  spy.mockImplementation(function redirected(this: unknown, options, callback) {
    const { host, lookup } = options
    if (typeof host !== 'string' || lookup === undefined)
      throw new Error('a connection without the lookup of the sender')
    if (isIP(host) !== 0) connected.push([host])
    const toLoopback: LookupFunction = (hostname, _options, done) => {
      lookup(hostname, { all: true }, (error, found) => {
        const addresses = Array.isArray(found) ? found.map(({ address }) => address) : []
        if (error === null) connected.push(addresses)
        done(error, [{ address: '127.0.0.1', family: 4 }])
      })
    }
    const target = isIP(host) !== 0 ? { host: '127.0.0.1' } : { lookup: toLoopback }
    return connect.call(this, { ...options, port, ...target }, callback)
  })
  return { connected, close: () => spy.mockRestore() }
}
