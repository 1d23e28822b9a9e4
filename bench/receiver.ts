/*
 * A receiver of webhooks, and the floor beside which deliveries are measured: a bare loop of `fetch`.
 *
 *   node bench/receiver.ts                                  receives; GET /figures returns the counts, DELETE /figures resets them
 *   node bench/receiver.ts URL COUNT AT_ONCE                sends COUNT events there, and prints the deliveries a second
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { percentile } from './figures.ts'

let latencies: number[] = []
let firstAt = 0
let lastAt = 0
let open = 0
let maxOpen = 0

const body = JSON.stringify({
  type: 'enrollment.created',
  timestamp: new Date().toISOString(),
  data: {
    'company-id': '01995e0b-29f4-7b12-8e33-d4c5b6a79808',
    'request-id': '01995e0b-31c7-7f4a-9a55-2b6c7d8e9f01',
    'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22',
    status: 'created',
  },
})

function receive(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  open += 1
  maxOpen = Math.max(maxOpen, open)
  response.on('close', () => (open -= 1))
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url?.startsWith('/dead')) return
    lastAt = Date.now()
    if (latencies.length === 0) firstAt = lastAt
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
    latencies.push(lastAt - Date.parse(timestamp))
    response.writeHead(204).end()
  })
}

function figures(): string {
  const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(latencies, percent))
  return JSON.stringify({ count: latencies.length, ms: lastAt - firstAt, p50, p95, p99, maxOpen })
}

async function sendAll(url: string, count: number, atOnce: number): Promise<number> {
  let sent = 0
  const start = performance.now()
  const loop = async () => {
    for (; sent < count;) {
      sent += 1
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return (count * 1_000) / (performance.now() - start)
}

const [target, count = '0', atOnce = '1'] = process.argv.slice(2)
if (target !== undefined) {
  console.log(String(await sendAll(target, Number(count), Number(atOnce))))
} else {
  const server = createServer((request, response) => {
    if (request.method === 'POST') return receive(request, response)
    if (request.method === 'DELETE') {
      latencies = []
      maxOpen = 0
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(figures())
  })
  // Longer than the pause between two readings of the figures, so that their connection is not closed while it is used.
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1', () => {
    console.log(`Receiver is listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  process.on('SIGTERM', () => process.exit(0))
}
