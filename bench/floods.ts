/*
 * What a known client and a known person get beside attacks that take what all share, each after a quiet floor: `node bench/floods.ts [ATTACK...]`,
 * attacks 1 to 10, all by default; `npm run bench:hostile` runs them after those of `hostile.ts`.
 *
 * 1 half-sent movements of two clients      6 small workbooks that become long tables, which nobody reads
 * 2 half-sent authentications of a stranger 7 hostile workbooks, imported on eight connections
 * 3 guesses of one address                  8 hostile workbooks as files of a carrier, whose steps fail again and again
 * 4 of five addresses                       9 downloads and lists that nobody reads
 * 5 of the person's own address            10 the items of an open shipment of 10,000 movements
 *
 * The attackers are at addresses of the loopback network, 127.0.0.2 to 127.0.0.6; the others at 127.0.0.1.
 */
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { hostileWorkbooks } from '../test/platform/tables/hostile-workbooks.ts'
import { expandingFiles } from './expanding-files.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import {
  call,
  makeContract,
  makePartner,
  ms,
  operator,
  payroll,
  percentile,
  printTable,
  runBench,
  signIn,
  times,
} from './bench.ts'

const quietMs = 5_000
const besideMs = 12_000
const wantedRatio = 5
const wantedSignInMs = 2_000
const wantedMiB = 600

interface Answer {
  readonly status: number
  readonly ms: number
}

/** One POST on a connection of its own, from an address. */
function post(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
  localAddress = '127.0.0.1',
) {
  return new Promise<Answer>((resolve) => {
    const startedAt = performance.now()
    const done = (status: number) => resolve({ status, ms: performance.now() - startedAt })
    const sent = httpRequest(
      url + path,
      { method: 'POST', agent: false, localAddress, headers: { 'content-type': 'application/json', ...headers } },
      (response) => response.resume().once('end', () => done(response.statusCode ?? 0)),
    )
    sent.once('error', () => done(0)).end(body)
  })
}

/** Repeats a call until the time is over. */
async function repeat(milliseconds: number, once: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const end = performance.now() + milliseconds; performance.now() < end; await pause(50))
    answers.push(await once())
  return answers
}

/** Keeps connections that have sent one byte of a hundred: one that is closed is opened again. @returns what ends them. */
function holdHalfSent(url: string, path: string, count: number, headers: string, localAddress: string): () => void {
  const { hostname: host, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isOver = false
  const open = () => {
    const socket = connect({ host, port: Number(port), localAddress })
    sockets.add(socket)
    socket.on('error', () => {}).resume()
    socket.once('close', () => {
      sockets.delete(socket)
      if (!isOver) open()
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    )
  }
  for (let n = 0; n < count; n += 1) open()
  return () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
  }
}

/** Sends requests on connections that do not read the responses; one that is closed is opened again. @returns what ends them. */
function holdUnread(url: string, requests: readonly (readonly [head: string, body: Buffer])[]): () => void {
  const { hostname: host, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isOver = false
  const open = ([head, body]: readonly [string, Buffer]) => {
    const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' })
    sockets.add(socket)
    socket.on('error', () => {}).pause()
    socket.once('close', () => {
      sockets.delete(socket)
      if (!isOver) setTimeout(() => !isOver && open([head, body]), 100)
    })
    socket.write(`${head}host: x\r\n\r\n`)
    if (body.length > 0) socket.write(body)
  }
  for (const request of requests) open(request)
  return () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
  }
}

/** Repeats a call on so many connections. @returns what ends them. */
function loops(count: number, once: (turn: number) => Promise<unknown>): () => void {
  let isOver = false
  let turn = 0
  const loop = async () => {
    while (!isOver) {
      await once((turn += 1))
      // One that is refused at once is not sent again at full speed.
      await pause(20)
    }
  }
  for (let n = 0; n < count; n += 1) void loop()
  return () => {
    isOver = true
  }
}

/** Wrong passwords at so many a second from each of these addresses. */
function guess(url: string, addresses: readonly string[], perSecond: number): () => void {
  const timer = setInterval(() => {
    for (const address of addresses) {
      const body = JSON.stringify({
        email: `${randomBytes(4).toString('hex')}@broker.example`,
        password: 'um palpite longo',
      })
      void post(url, '/operator/v1/session', {}, body, address)
    }
  }, 1_000 / perSecond)
  return () => clearInterval(timer)
}

const selected = process.argv.slice(2)

await runBench(20, async (bench) => {
  const program = await bench.service(await bench.database('floods'), { VIGENCIA_DEMO: 'false' })
  const { url } = program
  const admin = await signIn(url, operator.id, operator.secret)
  const good = await makePartner(url, 2)
  const [companyTaxId = '', otherTaxId = ''] = good.companyTaxIds
  const contractId = await makeContract(url, admin, otherTaxId)
  const [shipment] = (await call(url, 'GET', '/operator/v1/shipment?status=open', admin))['result'] as {
    'shipment-id': string
  }[]
  const attackers: string[] = []
  for (const name of ['EVI1', 'EVI2']) {
    const made = await call(url, 'POST', '/operator/v1/client', admin, { name, 'company-tax-ids': [otherTaxId] })
    const { authorization } = await signIn(url, String(made['client-id']), String(made['client-secret']))
    attackers.push(`authorization: ${authorization}\r\n`)
  }
  if (selected.length === 0 || selected.some((name) => ['9', '10'].includes(name))) {
    const taken = await call(url, 'POST', '/v1/enrollment/inclusion', good.headers, payroll(otherTaxId, 10_000))
    const request = `/v1/request/${String(taken['request-id'])}`
    while ((await call(url, 'GET', request, good.headers))['status'] === 'processing') await pause(500)
  }
  const credentials = { email: 'ana.prado@broker.example', password: 'quatro palavras bem longas' }
  const invited = await call(url, 'POST', '/operator/v1/person', admin, {
    name: 'Ana Prado',
    email: credentials.email,
    role: 'analyst',
  })
  const token = String(invited['link']).split('#')[1] ?? ''
  await call(url, 'POST', '/operator/v1/session/password', {}, { token, password: credentials.password })

  const person = JSON.stringify(credentials)
  const movement = payroll(companyTaxId, 1)
  const include = () => post(url, '/v1/enrollment/inclusion?dry-run=true', good.headers, movement)
  const enter = () => post(url, '/operator/v1/session', {}, person)
  const measured = async (milliseconds: number) => {
    const [calls, signIns] = await Promise.all([repeat(milliseconds, include), repeat(milliseconds, enter)])
    return { calls, signIns }
  }
  const p99 = (answers: readonly Answer[]) =>
    percentile(
      answers.map((answer) => answer.ms),
      99,
    )
  const inclusion = '/v1/enrollment/inclusion'
  const half = (path: string, headers: readonly string[]) => {
    const ends = headers.map((header, n) => holdHalfSent(url, path, 260, header, `127.0.0.${n + 2}`))
    return () => ends.forEach((end) => end())
  }
  const books = [...hostileWorkbooks.map(({ make }) => make()), ...expandingFiles()]
  const xlsx = { ...admin, 'content-type': xlsxType }
  const bookAt = (turn: number) => books[turn % books.length] ?? ''
  const carrierFile = `/operator/v1/carrier-file?${new URLSearchParams({
    'contract-id': contractId,
    kind: 'roster',
    'reference-month': '2026-11',
    'layout-id': 'generic-xlsx-roster',
  }).toString()}`
  const none = Buffer.alloc(0)
  const attacks: Record<string, readonly [string, () => () => void]> = {
    1: ['two clients x 260 half-sent movements', () => half(inclusion, attackers)],
    2: ['a stranger at two addresses x 260 half-sent authentications', () => half('/v1/authenticate', ['', ''])],
    3: ['one address x 10 guesses a second', () => guess(url, ['127.0.0.2'], 10)],
    4: [
      'five addresses x 4 guesses a second',
      () =>
        guess(
          url,
          [2, 3, 4, 5, 6].map((n) => `127.0.0.${n}`),
          4,
        ),
    ],
    5: ['the own address x 10 guesses a second', () => guess(url, ['127.0.0.1'], 10)],
    6: [
      '40 unread tables of small workbooks',
      () =>
        holdUnread(
          url,
          expandingFiles().flatMap((body) =>
            Array.from({ length: 20 }, (_, n) => {
              const head = `POST /v1/table HTTP/1.1\r\n${attackers[n % 2]}accept: text/csv\r\ncontent-type: ${xlsxType}\r\ncontent-length: ${body.length}\r\n`
              return [head, body] as const
            }),
          ),
        ),
    ],
    7: [
      'hostile workbooks x 8 imports',
      () => loops(8, (turn) => post(url, '/operator/v1/member/import?dry-run=true', xlsx, bookAt(turn), '127.0.0.2')),
    ],
    8: [
      'hostile workbooks x 4 files of a carrier',
      () => loops(4, (turn) => post(url, carrierFile, xlsx, bookAt(turn), '127.0.0.2')),
    ],
    9: [
      '16 unread lists of 10,000 members, of two clients',
      () =>
        holdUnread(
          url,
          Array.from({ length: 16 }, (_, n) => [`GET /v1/member HTTP/1.1\r\n${attackers[n % 2]}`, none] as const),
        ),
    ],
    10: [
      'items of an open shipment of 10,000 x 4',
      () =>
        loops(4, () =>
          call(url, 'GET', `/operator/v1/shipment/${shipment?.['shipment-id']}/item?items-per-page=1`, admin).catch(
            () => {},
          ),
        ),
    ],
  }
  const rows: string[][] = []
  await measured(2_000)
  for (const name of selected.length > 0 ? selected : Object.keys(attacks)) {
    const [title, start] =
      attacks[name] ??
      (() => {
        throw new Error(`no such attack: ${name}`)
      })()
    const quiet = await measured(quietMs)
    program.settleMemory()
    const stop = start()
    await pause(1_000)
    const beside = await measured(besideMs)
    stop()
    const ratio = p99(beside.calls) / p99(quiet.calls)
    const slowest = Math.max(...beside.signIns.map((answer) => answer.ms))
    const all = [...beside.calls, ...beside.signIns]
    const unavailable = all.filter(({ status }) => status === 503).length
    const others = all.filter(({ status }) => status !== 200).length
    const memory = program.peakMemory()
    const isMet = ratio <= wantedRatio && slowest <= wantedSignInMs && others === 0 && memory <= wantedMiB
    rows.push([
      title,
      ms(p99(quiet.calls)),
      ms(p99(beside.calls)),
      times(ratio),
      ms(p99(quiet.signIns)),
      ms(slowest),
      `${unavailable} of ${all.length}`,
      String(others - unavailable),
      `${Math.round(memory)} MiB`,
      isMet ? 'met' : 'MISSED',
    ])
    console.log(rows.at(-1)?.join(' | '))
    // What is under way for the attacker ends.
    await pause(5_000)
  }
  printTable('A known client and a known person beside an attack', [
    [
      'Attack',
      'p99 quiet',
      'p99 beside',
      'Ratio',
      'Sign-in p99 quiet',
      'Slowest sign-in beside',
      '503 for them',
      'Other errors',
      'Memory',
      `Wanted: ${wantedRatio} x, ${wantedSignInMs} ms, 0, ${wantedMiB} MiB`,
    ],
    ...rows,
  ])
})
