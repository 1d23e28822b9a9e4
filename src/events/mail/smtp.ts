import { PassThrough } from 'node:stream'
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '#platform/core/config.ts'

/* One connection to the broker's SMTP server, over which mails are sent one by one. The libraries are loaded with the first mail. */

/**
 * What became of a message. `not-connected`: the server could not be reached, or refused to talk. `doubtful`: it got the message and its answer
 * did not come. `later` and `refused`: it answered so, with this code.
 */
export interface SmtpOutcome {
  readonly status: 'sent' | 'later' | 'refused' | 'doubtful' | 'not-connected'
  /** The code of the server or of the connection, never its text. */
  readonly error: string | null
}

export interface Envelope {
  readonly from: string
  readonly to: string
}

/** In milliseconds. */
export interface SmtpTimeouts {
  readonly connection: number
  readonly greeting: number
  /** Without a byte. */
  readonly socket: number
  /** The limit of a whole message: a server that sends a byte now and then would hold it for ever. */
  readonly message: number
}

export const defaultTimeouts: SmtpTimeouts = { connection: 10_000, greeting: 10_000, socket: 30_000, message: 90_000 }
const maxResponseBytes = 16 * 1024

type SmtpError = Error & { readonly code?: string; readonly responseCode?: number; readonly command?: string }

/** Sends over a connection that is opened with the first message, and again after one that broke. */
export class SmtpSession {
  readonly #config: Pick<Config, 'smtpUrl' | 'smtpTls'>
  readonly #timeouts: SmtpTimeouts
  #connection: SmtpConnection | null = null

  constructor(config: Pick<Config, 'smtpUrl' | 'smtpTls'>, timeouts: SmtpTimeouts) {
    this.#config = config
    this.#timeouts = timeouts
  }

  /** Sends one message. Never throws. @param signal ends it at once: the outcome is what is known by then. */
  async send(envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<SmtpOutcome> {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(this.#timeouts.message)])
    // Read once the server has said that it takes the message.
    const stream = new PassThrough()
    let isTaken = false
    stream.once('resume', () => (isTaken = true))
    stream.end(message)
    try {
      const connection = await this.#open(ended)
      await untilAborted(ended, (done) => connection.send({ ...envelope, size: message.length }, stream, done))
      return { status: 'sent', error: null }
    } catch (cause) {
      const error = cause as SmtpError
      const isAnswer = error.responseCode !== undefined
      const isOfMessage = isAnswer && error.code !== 'EAUTH' && !isOfConnection(error)
      if (isOfMessage) await this.#reset(ended)
      else this.close()
      const code = String(error.responseCode ?? error.code ?? 'ECONNECTION')
        .replaceAll(/[^A-Za-z0-9_-]/g, '')
        .slice(0, 40)
      if (isTaken && !isAnswer) return { status: 'doubtful', error: code }
      // An address or a message that the library refuses to send has no answer.
      if (error.code === 'EENVELOPE' && !isAnswer) return { status: 'refused', error: code }
      if (!isOfMessage) return { status: 'not-connected', error: code }
      return { status: (error.responseCode ?? 0) >= 500 ? 'refused' : 'later', error: code }
    } finally {
      stream.destroy()
    }
  }

  close(): void {
    this.#connection?.close()
    this.#connection = null
  }

  async #reset(signal: AbortSignal): Promise<void> {
    const connection = this.#connection
    await untilAborted(signal, (done) => connection?.reset(done)).catch(() => this.close())
  }

  async #open(signal: AbortSignal): Promise<SmtpConnection> {
    if (this.#connection !== null) return this.#connection
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const url = new URL(this.#config.smtpUrl ?? '')
    const isSecure = url.protocol === 'smtps:'
    const isRequired = this.#config.smtpTls === 'required'
    const connection = new Connection({
      host: url.hostname.replaceAll(/^\[|\]$/g, ''),
      port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
      secure: isSecure,
      requireTLS: isRequired && !isSecure,
      opportunisticTLS: !isRequired,
      tls: { rejectUnauthorized: isRequired, minVersion: 'TLSv1.2' },
      connectionTimeout: this.#timeouts.connection,
      dnsTimeout: this.#timeouts.connection,
      greetingTimeout: this.#timeouts.greeting,
      socketTimeout: this.#timeouts.socket,
      socketCloseTimeout: 1_000,
      maxResponseSize: maxResponseBytes,
    })
    this.#connection = connection
    // Between two messages: the next one opens another connection.
    const forget = () => {
      if (this.#connection === connection) this.#connection = null
    }
    connection.on('error', forget)
    connection.on('end', forget)
    await untilAborted(signal, (done) => {
      connection.once('error', done)
      connection.connect(done)
    })
    if (url.username !== '') {
      const credentials = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      await untilAborted(signal, (done) => {
        connection.once('error', done)
        connection.login({ credentials }, done)
      })
    }
    return connection
  }
}

/** Answers that are not about a message: the server goes, wants something else first, or refuses the sender, who is always the same. */
function isOfConnection({ command, responseCode }: SmtpError): boolean {
  return responseCode === 421 || responseCode === 530 || !/^(RCPT TO|DATA)$/.test(command ?? '')
}

type Done = (error?: Error | null) => void

/** A call with a callback, given up when the signal is aborted. */
function untilAborted(signal: AbortSignal, call: (done: Done) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(Object.assign(new Error('given up'), { code: 'ETIMEDOUT' }))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    call((error) => {
      signal.removeEventListener('abort', abort)
      if (error) reject(error)
      else resolve()
    })
  })
}
