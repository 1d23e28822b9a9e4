import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { contains } from '../../core/networks.ts'

/**
 * Closes connections over the limit, or over the quarter of their address, at once: what waits would use a connection. A trusted proxy,
 * which many clients share, may have all of them.
 */
export function limitConnections(server: Server, max: number, trustedProxies: BlockList | null): void {
  const byAddress = new Map<string, number>()
  let total = 0
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket
    const open = byAddress.get(address) ?? 0
    const isProxy = trustedProxies !== null && contains(trustedProxies, address)
    if (total >= max || (!isProxy && open >= Math.max(1, Math.floor(max / 4)))) {
      socket.destroy()
      return
    }
    total += 1
    byAddress.set(address, open + 1)
    socket.once('close', () => {
      total -= 1
      const left = (byAddress.get(address) ?? 1) - 1
      if (left === 0) byAddress.delete(address)
      else byAddress.set(address, left)
    })
  })
}
