import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { until } from './test-app.ts'

/** A mail that the server took. */
export interface TakenMail {
  readonly from: string
  readonly to: string
  readonly text: string
}

/** What the server answers to a step; null: nothing, and the connection stays. */
export type Answer = string | null
export type Step = 'greeting' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'message'

export interface SmtpServer {
  readonly url: string
  readonly port: number
  /** Those whose last byte came, whatever was answered. */
  readonly got: TakenMail[]
  /** What it answers; the usual answer for undefined. @param to of the mail, once it is known. */
  answer: (step: Step, to: string) => Answer | undefined
  until(count: number): Promise<TakenMail[]>
  close(): Promise<void>
}

const usual: Readonly<Record<Step, string>> = {
  greeting: '220 mail.example ESMTP',
  ehlo: '250-mail.example\r\n250 SIZE 10000000',
  mail: '250 ok',
  rcpt: '250 ok',
  data: '354 go on',
  message: '250 taken',
}

/** An SMTP server without TLS that takes every mail, unless a test says something else. */
export async function openSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const got: TakenMail[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opened: SmtpServer = {
    url: `smtp://127.0.0.1:${port}`,
    port,
    got,
    answer: () => undefined,
    until: (count) =>
      until(
        async () => got,
        (all) => all.length >= count,
      ),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return opened

  function converse(socket: Socket): void {
    let [buffer, from, to] = ['', '', '']
    let isMessage = false
    const say = (step: Step) => {
      const answer = opened.answer(step, to)
      const text = answer === undefined ? usual[step] : answer
      if (text === 'close') socket.destroy()
      else if (text !== null) socket.write(`${text}\r\n`)
      return text ?? ''
    }
    const command = (line: string) => {
      if (/^EHLO|^HELO/i.test(line)) say('ehlo')
      else if (/^MAIL FROM/i.test(line)) {
        from = /<(.*?)>/.exec(line)?.[1] ?? ''
        say('mail')
      } else if (/^RCPT TO/i.test(line)) {
        to = /<(.*?)>/.exec(line)?.[1] ?? ''
        say('rcpt')
      } else if (/^DATA/i.test(line)) isMessage = say('data').startsWith('3')
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else socket.write('250 ok\r\n')
    }
    say('greeting')
    socket.on('data', (bytes) => {
      buffer += bytes.toString('latin1')
      for (;;) {
        const end = isMessage ? '\r\n.\r\n' : '\r\n'
        const at = buffer.indexOf(end)
        if (at < 0) return
        const text = buffer.slice(0, at)
        buffer = buffer.slice(at + end.length)
        if (isMessage) {
          isMessage = false
          got.push({ from, to, text: text.replaceAll('\r\n..', '\r\n.') })
          say('message')
        } else command(text)
      }
    })
  }
}

/** The headers of a mail by their names in lower case, decoded. */
export function headersOf({ text }: TakenMail): Readonly<Record<string, string>> {
  const head = (text.split('\r\n\r\n', 1)[0] ?? '').replaceAll(/\r\n[ \t]+/g, ' ')
  return Object.fromEntries(
    head.split('\r\n').map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), wordsOf(line.slice(at + 1).trim())]
    }),
  )
}

/** Encoded words (RFC 2047) in a header. */
function wordsOf(value: string): string {
  return value
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_whole, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : quoted(text.replaceAll('_', ' ')),
    )
}

function quoted(text: string): string {
  return Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
}

/** All parts of a mail that are text, decoded. */
export function bodyOf({ text }: TakenMail): string {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const boundary = /boundary="([^"]+)"/i.exec(head)?.[1]
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1, -1)
    return parts.map((part) => bodyOf({ from: '', to: '', text: part.replace(/^\r\n/, '') })).join('\n')
  }
  if (!/content-type: text\//i.test(head)) return ''
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  return /transfer-encoding: quoted-printable/i.test(head) ? quoted(body) : Buffer.from(body, 'latin1').toString()
}
