import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SmtpSession } from '#events/mail/smtp.ts'
import { type Answer, openSmtpServer, type SmtpServer, type Step } from '../../world/smtp.ts'

let server: SmtpServer
let session: SmtpSession
const running = new AbortController().signal
const timeouts = { connection: 200, greeting: 200, socket: 200, message: 1_000 }
const message = Buffer.from('Subject: test\r\n\r\nOne line.\r\n')
const send = (to = 'ana@broker.example', signal = running) =>
  session.send({ from: 'vigencia@broker.example', to }, message, signal)

beforeEach(async () => {
  server = await openSmtpServer()
  session = new SmtpSession({ smtpUrl: server.url, smtpTls: 'optional' }, timeouts)
})

afterEach(async () => {
  session.close()
  await server.close()
})

test('several messages go over one connection', async () => {
  let connections = 0
  server.answer = (step) => void (connections += step === 'greeting' ? 1 : 0)
  for (const to of ['a@x.example', 'b@x.example', 'c@x.example'])
    expect(await send(to)).toEqual({ status: 'sent', error: null })
  expect(server.got.map(({ to }) => to)).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
  expect(server.got[0]?.text).toBe('Subject: test\r\n\r\nOne line.')
  expect(connections).toBe(1)
})

describe('what became of a message when the server', () => {
  test.each<[string, Step, Answer, { status: string; error: string }]>([
    ['says nothing at all', 'greeting', null, { status: 'not-connected', error: 'ETIMEDOUT' }],
    ['has no time', 'greeting', '421 later', { status: 'not-connected', error: '421' }],
    ['hangs before the message', 'rcpt', null, { status: 'not-connected', error: 'ETIMEDOUT' }],
    ['refuses the sender', 'mail', '550 who is that', { status: 'not-connected', error: '550' }],
    ['wants a sign-in', 'rcpt', '530 sign in', { status: 'not-connected', error: '530' }],
    ['puts the recipient off', 'rcpt', '451 greylisted', { status: 'later', error: '451' }],
    ['does not know the recipient', 'rcpt', '550 no such user', { status: 'refused', error: '550' }],
    ['hangs after DATA', 'data', null, { status: 'not-connected', error: 'ETIMEDOUT' }],
    ['breaks off after DATA', 'data', 'close', { status: 'not-connected', error: 'ECONNECTION' }],
    ['refuses the message', 'message', '554 spam', { status: 'refused', error: '554' }],
    ['puts the message off', 'message', '452 full', { status: 'later', error: '452' }],
    ['goes with an answer', 'message', '421 going', { status: 'not-connected', error: '421' }],
    ['hangs after the message', 'message', null, { status: 'doubtful', error: 'ETIMEDOUT' }],
    ['breaks off after the message', 'message', 'close', { status: 'doubtful', error: 'ECONNECTION' }],
  ])('%s', async (_, at, answer, outcome) => {
    server.answer = (step) => (step === at ? answer : undefined)
    expect(await send()).toEqual(outcome)
    server.answer = () => undefined
    // The next message is not held up, whatever became of the connection.
    expect(await send('next@x.example')).toEqual({ status: 'sent', error: null })
    expect(server.got.at(-1)?.to).toBe('next@x.example')
  })
})

test('a server whose reply never ends is given up after the time of a message', async () => {
  const short = new SmtpSession({ smtpUrl: server.url, smtpTls: 'optional' }, { ...timeouts, message: 400 })
  const begun = performance.now()
  // A reply that goes on.
  server.answer = (step) => (step === 'message' ? '250-wait' : undefined)
  expect(await short.send({ from: 'v@x.example', to: 'a@x.example' }, message, running)).toMatchObject({
    status: 'doubtful',
  })
  expect(performance.now() - begun).toBeLessThan(2_000)
  short.close()
})

test('a stop ends it at once: doubtful once the message is with the server, else not sent', async () => {
  const stopping = new AbortController()
  server.answer = (step) => {
    if (step !== 'message') return undefined
    stopping.abort()
    return null
  }
  expect(await send('a@x.example', stopping.signal)).toEqual({ status: 'doubtful', error: 'ETIMEDOUT' })
  expect(await send('b@x.example', stopping.signal)).toEqual({ status: 'not-connected', error: 'ETIMEDOUT' })
})

test('without TLS nothing is sent, unless the setting allows it', async () => {
  const strict = new SmtpSession({ smtpUrl: server.url, smtpTls: 'required' }, timeouts)
  expect(await strict.send({ from: 'v@x.example', to: 'a@x.example' }, message, running)).toMatchObject({
    status: 'not-connected',
  })
  expect(server.got).toEqual([])
  strict.close()
})

test.each(['a@x.example\r\nRCPT TO:<b@x.example>', 'a@x.example>\r\nDATA', 'a b@x.example'])(
  'an address that could hold a command is refused: %j',
  async (to) => {
    const outcome = await send(to)
    expect(server.got.map((mail) => mail.to)).not.toContain('b@x.example')
    expect(['refused', 'sent']).toContain(outcome.status)
    expect(server.got.length).toBeLessThanOrEqual(1)
  },
)
