import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { limitConnections } from '#platform/http/limits/limit-connections.ts'
import { parseNetworks } from '#platform/core/networks.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp()
})

/** Opens ten connections from this machine to a server that takes eight; when all have had a response, so many stay open. */
async function countOpen(trustedProxies: string | null): Promise<number> {
  const server = createServer((_request, response) => response.end('ok'))
  limitConnections(server, 8, trustedProxies === null ? null : parseNetworks(trustedProxies))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  for (let made = 0; made < 10; made += 1) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
  }
  return promisify(server.getConnections.bind(server))()
}

test('one address has a quarter of the connections: a new one takes the place of the one that waits longest', async () => {
  await expect.poll(() => countOpen(null)).toBe(2)
  await expect.poll(() => countOpen('10.0.0.0/8')).toBe(2)
})

test('a trusted proxy, which carries many clients, has all of them', async () => {
  await expect.poll(() => countOpen('127.0.0.1')).toBe(8)
})
