import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { contains, networkOf } from '../../core/networks.ts'
import { hasBody } from './end-transfer.ts'

/**
 * Bounds the connections, and those of one network to a quarter. A new one that exceeds a bound takes the place of the one that has waited
 * longest for its client (for a request, the rest of one, or the reading of a response), of its own network or of the one that has most; where
 * all are being served it is closed. A trusted proxy, which many clients share, may have all of them.
 */
export function limitConnections(server: Server, max: number, trustedProxies: BlockList | null): void {
  const perNetwork = Math.max(1, Math.floor(max / 4))
  /** By network, those that have waited longest first. */
  const networks = new Map<string, Set<Socket>>()
  const networkOfSocket = new WeakMap<Socket, string>()
  /** Those with a whole request that has no response yet. */
  const busy = new WeakSet<Socket>()
  let total = 0

  const leave = (network: string, socket: Socket) => {
    const sockets = networks.get(network)
    if (sockets?.delete(socket) !== true) return
    total -= 1
    if (sockets.size === 0) networks.delete(network)
  }
  const waits = (socket: Socket) => !busy.has(socket) || socket.writableLength > 0
  /** @returns whether one was closed. */
  const closeOne = (network: string): boolean => {
    const socket = [...(networks.get(network) ?? [])].find(waits)
    if (socket === undefined) return false
    leave(network, socket)
    socket.destroy()
    return true
  }
  const largestFirst = () => [...networks].sort(([, one], [, other]) => other.size - one.size)

  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket
    const network = networkOf(address)
    const isProxy = trustedProxies !== null && contains(trustedProxies, address)
    const isBeyondShare = !isProxy && (networks.get(network)?.size ?? 0) >= perNetwork
    const hasRoom = isBeyondShare
      ? closeOne(network)
      : total < max || largestFirst().some(([largest]) => closeOne(largest))
    if (!hasRoom) {
      socket.destroy()
      return
    }
    total += 1
    networkOfSocket.set(socket, network)
    const sockets = networks.get(network) ?? new Set()
    networks.set(network, sockets.add(socket))
    socket.once('close', () => leave(network, socket))
  })

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // The limits, the log and the stream of a response each wait for its end.
    response.setMaxListeners(20)
    let isOver = false
    const arrived = () => {
      if (!isOver) busy.add(socket)
    }
    if (hasBody(request)) request.once('end', arrived)
    else arrived()
    response.once('close', () => {
      isOver = true
      busy.delete(socket)
      // It waits from now on.
      const sockets = networks.get(networkOfSocket.get(socket) ?? '')
      if (sockets?.delete(socket) === true) sockets.add(socket)
    })
  })
}
