import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { privateAddresses } from './ssrf-corpus.ts'
import { type Network, openNetwork } from './network.ts'
import { openSender, type Resolve, type Sender, type SenderOptions } from '#events/webhooks/sender.ts'

const closing: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Listening {
  readonly port: number
  /** Connections made to it. */
  readonly sockets: Socket[]
}

async function listening(server: Server): Promise<Listening> {
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}

const serving = (listener: RequestListener) => listening(createServer(listener))

function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = openSender({ httpsOnly: false, allowPrivate: true, ...options })
  closing.push(() => made.close())
  return made
}

/** No packet leaves the machine: every address leads to the server at the port. */
function stubNetwork(port: number): Network {
  const network = openNetwork(port)
  closing.push(() => network.close())
  return network
}

const never = new AbortController().signal
const post = (by: Sender, url: string, signal = never) => by.send(url, { 'webhook-id': 'x' }, '{}', signal)

const resolvingTo: (addresses: string[]) => Resolve = (addresses) => async () => addresses

test('2xx, anything else, and what was sent', async () => {
  const seen: unknown[] = []
  const { port } = await serving((request, response) => {
    request.on('data', (chunk: Buffer) => seen.push([request.method, request.headers['webhook-id'], chunk.toString()]))
    response.writeHead(Number(request.url?.slice(1))).end()
  })
  const by = sender()
  for (const status of [200, 204, 299, 400, 410, 500, 503]) {
    expect(await post(by, `http://127.0.0.1:${port}/${status}`)).toEqual({ status, error: null })
  }
  expect(seen[0]).toEqual(['POST', 'x', '{}'])
})

test('redirects are not followed: not one connection is made to where they point', async () => {
  const canary = await serving((_request, response) => response.end())
  for (const status of [301, 302, 303, 307, 308]) {
    const { port } = await serving((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end(),
    )
    expect(await post(sender(), `http://127.0.0.1:${port}/`)).toEqual({ status, error: 'redirect' })
  }
  expect(canary.sockets).toHaveLength(0)
})

test('an address that is not public is not connected to, spelt out in whatever way', async () => {
  const canary = await serving((_request, response) => response.end())
  const by = sender({ allowPrivate: false })
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '[::ffff:127.0.0.1]',
    '[::1]',
    'localhost',
    'x.localhost.',
  ]
  for (const host of hosts) {
    expect(await post(by, `http://${host}:${canary.port}/`)).toEqual({ status: null, error: 'private-address' })
  }
  expect(canary.sockets).toHaveLength(0)
})

test.for(privateAddresses)('a name that stands for %j fails', async (address) => {
  const canary = await serving((_request, response) => response.end())
  const by = sender({ allowPrivate: false, resolve: resolvingTo([address]) })
  expect(await post(by, `http://payroll.example:${canary.port}/`)).toEqual({ status: null, error: 'private-address' })
  expect(canary.sockets).toHaveLength(0)
})

test.for([
  '169.254.169.254',
  '100.100.100.200',
  'fe80::1%eth0',
  'fe80::1',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
])('a name that stands for %s fails where private addresses are allowed too', async (address) => {
  const by = sender({ allowPrivate: true, resolve: resolvingTo([address]) })
  expect(await post(by, 'http://metadata.example/')).toEqual({ status: null, error: 'private-address' })
})

test('a metadata address is not connected to where private addresses are allowed', async () => {
  for (const host of ['169.254.169.254', '2852039166', '0xa9fea9fe', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]']) {
    const result = await post(sender({ allowPrivate: true }), `http://${host}/`)
    expect(result).toEqual({ status: null, error: 'private-address' })
  }
})

test('of the addresses of a name only public ones are connected to, at every connection anew', async () => {
  const canary = await serving((_request, response) => response.writeHead(204, { connection: 'close' }).end())
  const network = stubNetwork(canary.port)
  const [four, six] = ['93.184.216.34', '2a00:ffff:ffff::1']
  // As the zone of an attacker answers: the first query, the second, and so on.
  const answers = [
    [four],
    ['127.0.0.1'],
    [four, '127.0.0.1'],
    ['127.0.0.1', four],
    ['::1', '10.0.0.1', '169.254.169.254'],
    ['::ffff:127.0.0.1', six, 'fe80::1'],
    [...privateAddresses],
    [six],
    ['0.0.0.0'],
  ]
  const resolved: string[] = []
  const resolve: Resolve = async (hostname) => {
    resolved.push(hostname)
    return answers[resolved.length - 1] ?? []
  }
  const by = sender({ allowPrivate: false, resolve })
  const results = []
  while (results.length < answers.length) results.push(await post(by, 'http://rebind.example/'))
  expect(network.connected).toEqual([[four], [four], [four], [six], [six]])
  expect(results.map(({ status, error }) => status ?? error)).toEqual([
    204,
    'private-address',
    204,
    204,
    'private-address',
    204,
    'private-address',
    204,
    'private-address',
  ])
  expect(resolved).toEqual(answers.map(() => 'rebind.example'))
})

test('a redirect to any private host ends the call, whatever the status', async () => {
  const canary = await serving((_request, response) => response.end())
  const hosts = ['127.0.0.1', 'localhost', '2130706433', '[::1]', '[::ffff:7f00:1]', '127。0。0。1']
  let location = ''
  const { port } = await serving((request, response) => {
    const headers = {
      location,
      refresh: `0; url=${location}`,
      'content-location': location,
      'alt-svc': `h2="${location}"`,
    }
    response.writeHead(Number(request.url?.slice(1)), headers).end()
  })
  const by = sender()
  for (const host of hosts) {
    location = encodeURI(`http://${host}:${canary.port}/`)
    for (const status of [200, 201, 300, 301, 302, 303, 304, 305, 307, 308]) {
      const error = status >= 300 ? 'redirect' : null
      expect(await post(by, `http://127.0.0.1:${port}/${status}`)).toEqual({ status, error })
    }
  }
  expect(canary.sockets).toHaveLength(0)
})

test('each new connection resolves the name again; a kept-alive one stays at the checked address', async () => {
  const keptOpen = await serving((_request, response) => response.writeHead(204).end())
  const closed = await serving((_request, response) => response.writeHead(204, { connection: 'close' }).end())
  let resolved = 0
  const resolve: Resolve = async () => {
    resolved += 1
    return ['127.0.0.1']
  }
  const by = sender({ resolve })
  for (let n = 0; n < 3; n += 1) await post(by, `http://payroll.example:${closed.port}/`)
  expect([resolved, closed.sockets.length]).toEqual([3, 3])
  resolved = 0
  for (let n = 0; n < 3; n += 1) await post(by, `http://payroll.example:${keptOpen.port}/`)
  expect(resolved).toBe(keptOpen.sockets.length)
})

test('production speaks HTTPS only, and what is no TLS fails', async () => {
  const canary = await serving((_request, response) => response.end())
  const strict = sender({ httpsOnly: true })
  expect(await post(strict, `http://127.0.0.1:${canary.port}/`)).toEqual({ status: null, error: 'https-required' })
  expect(canary.sockets).toHaveLength(0)
  expect(await post(strict, `https://127.0.0.1:${canary.port}/`)).toEqual({ status: null, error: 'tls' })
})

test('a call without a response in time is ended', async () => {
  const { port, sockets } = await serving(() => {})
  expect(await post(sender({ timeoutMs: 100 }), `http://127.0.0.1:${port}/`)).toEqual({
    status: null,
    error: 'timeout',
  })
  await until(() => sockets.every((socket) => socket.destroyed))
})

test('who sends headers drop by drop is given up: the time is for all of it', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 10)
    socket.write('HTTP/1.1 200 OK\r\n')
    socket.on('close', () => clearInterval(drip))
  })
  const { port } = await listening(server)
  expect(await post(sender({ timeoutMs: 150 }), `http://127.0.0.1:${port}/`)).toEqual({
    status: null,
    error: 'timeout',
  })
})

test('an endless response counts by its status, and its connection is closed', async () => {
  const { port, sockets } = await serving((_request, response) => {
    response.on('error', () => {})
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  })
  expect(await post(sender(), `http://127.0.0.1:${port}/`)).toEqual({ status: 200, error: null })
  await until(() => sockets.every((socket) => socket.destroyed))
  expect(sockets[0]?.bytesWritten).toBeLessThan(8_000_000)
})

test('an error is reported as a code', async () => {
  const gone = await serving(() => {})
  await closing.pop()?.()
  const reset = await listening(createTcpServer((socket) => socket.destroy()))
  const noise = await listening(createTcpServer((socket) => socket.end('nonsense\r\n\r\n')))
  const fail = (code: string): Resolve => {
    return async () => {
      throw Object.assign(new Error('dns'), { code })
    }
  }
  const outcomes = [
    await post(sender(), `http://127.0.0.1:${gone.port}/`),
    await post(sender(), `http://127.0.0.1:${reset.port}/`),
    await post(sender(), `http://127.0.0.1:${noise.port}/`),
    await post(sender({ resolve: fail('ENOTFOUND') }), 'http://payroll.example/'),
    await post(sender({ resolve: fail('ETIMEOUT') }), 'http://payroll.example/'),
    await post(sender({ resolve: resolvingTo([]) }), 'http://payroll.example/'),
  ]
  expect(outcomes.map(({ error }) => error)).toEqual([
    'connection-refused',
    'connection-reset',
    'bad-answer',
    'name-not-found',
    'name-not-resolved',
    'private-address',
  ])
})

test('a kept-alive connection that the receiver has closed is replaced, without a failed attempt', async () => {
  const { port, sockets } = await serving((request, response) => {
    // The first call on each connection gets a response; a further one is cut off, as by a receiver that has just closed it.
    if (request.socket.bytesWritten > 0) request.socket.destroy()
    else response.writeHead(204).end()
  })
  const by = sender()
  expect(await post(by, `http://127.0.0.1:${port}/`)).toEqual({ status: 204, error: null })
  expect(await post(by, `http://127.0.0.1:${port}/`)).toEqual({ status: 204, error: null })
  expect(sockets).toHaveLength(2)
})

test('a stop ends the call', async () => {
  const { port, sockets } = await serving(() => {})
  const stopping = new AbortController()
  const ending = post(sender(), `http://127.0.0.1:${port}/`, stopping.signal)
  await until(() => sockets.length > 0)
  stopping.abort()
  expect(await ending).toEqual({ status: null, error: 'stopped' })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
