/*
 * What other clients get beside half-sent bodies and floods of sign-ins, each after a quiet floor: `node bench/floods.ts`.
 *
 * The attackers are at addresses of the loopback network, 127.0.0.2 to 127.0.0.6; the others at 127.0.0.1.
 */
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { call, makePartner, ms, operator, payroll, percentile, printTable, runBench, signIn, times } from './bench.ts'

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
function post(url: string, path: string, headers: Record<string, string>, body: string, localAddress = '127.0.0.1') {
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

await runBench(10, async (bench) => {
  const program = await bench.service(await bench.database('floods'), { VIGENCIA_DEMO: 'false' })
  const { url } = program
  const admin = await signIn(url, operator.id, operator.secret)
  const good = await makePartner(url, 2)
  const [companyTaxId = '', otherTaxId = ''] = good.companyTaxIds
  const attackers: string[] = []
  for (const name of ['EVI1', 'EVI2']) {
    const made = await call(url, 'POST', '/operator/v1/client', admin, { name, 'company-tax-ids': [otherTaxId] })
    const { authorization } = await signIn(url, String(made['client-id']), String(made['client-secret']))
    attackers.push(`authorization: ${authorization}\r\n`)
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
  const attacks: readonly (readonly [string, () => () => void])[] = [
    ['two clients x 260 half-sent movements', () => half(inclusion, attackers)],
    ['a stranger at two addresses x 260 half-sent authentications', () => half('/v1/authenticate', ['', ''])],
    ['one address x 10 guesses a second', () => guess(url, ['127.0.0.2'], 10)],
    [
      'five addresses x 4 guesses a second',
      () =>
        guess(
          url,
          [2, 3, 4, 5, 6].map((n) => `127.0.0.${n}`),
          4,
        ),
    ],
    ['the own address x 10 guesses a second', () => guess(url, ['127.0.0.1'], 10)],
  ]
  const rows: string[][] = []
  await measured(2_000)
  for (const [title, start] of attacks) {
    const quiet = await measured(quietMs)
    program.settleMemory()
    const stop = start()
    await pause(1_000)
    const beside = await measured(besideMs)
    stop()
    const ratio = p99(beside.calls) / p99(quiet.calls)
    const slowest = Math.max(...beside.signIns.map((answer) => answer.ms))
    const others = [...beside.calls, ...beside.signIns].filter(({ status }) => status !== 200).length
    const memory = program.peakMemory()
    const isMet = ratio <= wantedRatio && slowest <= wantedSignInMs && others === 0 && memory <= wantedMiB
    rows.push([
      title,
      ms(p99(quiet.calls)),
      ms(p99(beside.calls)),
      times(ratio),
      ms(p99(quiet.signIns)),
      ms(slowest),
      String(others),
      `${Math.round(memory)} MiB`,
      isMet ? 'met' : 'MISSED',
    ])
    await pause(2_000)
  }
  printTable('A known client and a known person beside an attack', [
    [
      'Attack',
      'p99 quiet',
      'p99 beside',
      'Ratio',
      'Sign-in p99 quiet',
      'Slowest sign-in beside',
      'Not 200',
      'Memory',
      `Wanted: ${wantedRatio} x, ${wantedSignInMs} ms, 0, ${wantedMiB} MiB`,
    ],
    ...rows,
  ])
})
