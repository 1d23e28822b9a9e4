import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { WebhookEvent } from '@vigencia/client'
import type { ApiClient } from './api-client.ts'
import type { CommandDeclaration, Values } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { apiCommand } from './operation.ts'
import { say } from './language.ts'
import { interruption, oneLine, print, printJson, printMessage } from './terminal.ts'

const listenParameters = {
  '--forward-to <url>': 'where to send each event, with POST',
  '--secret <whsec>': 'sign with this secret instead of a new one',
  '--type <type...>': 'only events of these types',
  '--since <time>': 'begin with the events after that time (ISO 8601) instead of now',
} as const

/** `vigencia webhook listen` and `trigger`. */
export const webhookCommands: readonly CommandDeclaration[] = [
  apiCommand({
    name: 'listen',
    description: 'print the events of your companies as they happen, and forward them to a laptop (partner)',
    examples: {
      'webhook listen --forward-to http://127.0.0.1:8080/hook':
        'signed as Standard Webhooks, with a secret that it prints',
      'webhook listen --type enrollment.completed --json': 'only prints, a JSON document for each event',
    },
    parameters: listenParameters,
    api: 'partner',
    run: listenForEvents,
  }),
  apiCommand({
    name: 'trigger',
    description: 'send a test event to one webhook endpoint, or to all of yours (partner)',
    examples: {
      'webhook trigger': 'each endpoint gets a webhook.test',
      'webhook trigger 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'one endpoint',
      'webhook trigger --type enrollment.completed': 'an event of that type with made-up data',
    },
    parameters: { '[endpoint-id]': '', '--type <type>': 'the type of the event instead of webhook.test' },
    api: 'partner',
    run: ({ endpointId, type, json }, client) => triggerTest(client, endpointId, type, json),
  }),
]

async function triggerTest(
  client: ApiClient<'partner'>,
  only: string | undefined,
  type: string | undefined,
  json: true | undefined,
): Promise<void> {
  const body = type === undefined ? {} : { 'event-type': type as WebhookEvent['type'] }
  const ids = only === undefined ? await enabledEndpoints(client) : [only]
  if (ids.length === 0) {
    const next = say`Make one: vigencia webhook create URL. Or try on a laptop: vigencia webhook listen --forward-to URL`
    throw new CommandError('refused', say`There is no enabled webhook endpoint to send to.`, next)
  }
  const events: object[] = []
  for (const id of ids) {
    const event = await client.sdk.webhookEndpoints.test(id, body)
    events.push(event)
    if (!json) print(`endpoint ${id}\tevent ${event.id}`)
  }
  if (json) printJson({ result: events })
}

async function enabledEndpoints(client: ApiClient<'partner'>): Promise<string[]> {
  const endpoints = await Array.fromAsync(client.sdk.webhookEndpoints.list())
  return endpoints.filter(({ status }) => status === 'enabled').map(({ id }) => id)
}

const pollMs = 1_000
const forwardMs = 15_000
/** Events with earlier timestamps may become visible later: each poll reads back this far. */
const overlapMs = 120_000

/** Prints and forwards events until interrupted, each once, oldest first. */
async function listenForEvents(values: Values<typeof listenParameters>, client: ApiClient<'partner'>): Promise<void> {
  const { forwardTo, secret = `whsec_${randomBytes(24).toString('base64')}`, type, since, json } = values
  const target = forwardTo === undefined ? null : readTarget(forwardTo)
  const asOf = since === undefined ? null : Date.parse(since)
  if (Number.isNaN(asOf))
    throw new CommandError('usage', say`${since} is not a time.`, say`Write it as 2026-11-21T13:05:09Z`)
  const key = secretKey(secret)
  const signal = interruption()
  const seen = new Map<string, number>()
  const remember = (event: WebhookEvent) => seen.set(event.id, Date.parse(event.timestamp))
  // By the clock of the service: new events are those after its last one.
  let newest = asOf ?? Date.parse((await newestFirst(client)).result[0]?.timestamp ?? '1970-01-01')
  const floor = asOf ?? newest - overlapMs
  if (asOf === null) for (const event of await readSince(client, floor)) remember(event)
  printMessage(
    target === null
      ? say`Listening for events at ${client.url}; Ctrl-C ends.`
      : say`Listening for events at ${client.url}, forwarding to ${target}; Ctrl-C ends.`,
  )
  if (target !== null) printMessage(say`Signing secret: whsec_${key.toString('base64')}`)
  while (!signal.aborted) {
    try {
      const read = await readSince(client, Math.max(floor, newest - overlapMs))
      for (const event of read.filter((event) => !seen.has(event.id)).toReversed()) {
        remember(event)
        newest = Math.max(newest, Date.parse(event.timestamp))
        if (type !== undefined && !type.includes(event.type)) continue
        printEvent(event, target === null ? null : await forward(event, target, key), json)
      }
      for (const [id, at] of seen) if (at < newest - 2 * overlapMs) seen.delete(id)
      await pause(pollMs, undefined, { signal })
    } catch (cause) {
      if (signal.aborted) break
      const error = client.errorOf(cause)
      if (!(error instanceof CommandError && error.exitStatus === 'unreachable')) throw error
      printMessage(say`${error.message} Waiting for it.`)
      await pause(5 * pollMs, undefined, { signal }).catch(() => {})
    }
  }
  printMessage(say`Stopped.`)
  signal.throwIfAborted()
}

function readTarget(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw new CommandError('usage', say`${text} is not a URL to forward to.`, say`Write it as http://127.0.0.1:8080/hook`)
}

function secretKey(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length >= 16) return key
  throw new CommandError('usage', say`The secret is too short.`, say`It is \`whsec_\` and 24 to 64 bytes in base64.`)
}

const newestFirst = (client: ApiClient<'partner'>) => client.sdk.webhookEvents.list({ 'items-per-page': 100 })

/** Events from that time on, newest first. */
async function readSince(client: ApiClient<'partner'>, since: number): Promise<WebhookEvent[]> {
  // New events shift the pages: an event may be read twice.
  const found = new Map<string, WebhookEvent>()
  for await (const event of newestFirst(client)) {
    if (Date.parse(event.timestamp) < since) break
    found.set(event.id, event)
  }
  return [...found.values()]
}

/** @param response of the receiver; null when the event is not forwarded. */
function printEvent(event: WebhookEvent, response: number | string | null, json: true | undefined): void {
  if (json) return printJson(response === null ? event : { ...event, forwarded: response })
  const { timestamp, type, id } = event
  const words = [timestamp, type, id, ...(response === null ? [] : [`-> ${response}`])]
  print(words.map(oneLine).join('  '))
}

/** Sends the event as the service sends deliveries (Standard Webhooks 1.0), without retries. @returns the status or an error code. */
async function forward(event: WebhookEvent, target: string, key: Buffer): Promise<number | string> {
  const body = JSON.stringify({ type: event.type, timestamp: event.timestamp, data: event.data })
  const now = new Date()
  // Imported here: the other commands sign nothing.
  const { Webhook } = await import('standardwebhooks')
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(key, { format: 'raw' }).sign(event.id, now, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([interruption(), AbortSignal.timeout(forwardMs)]),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    interruption().throwIfAborted()
    const code = (error as { cause?: { code?: unknown } }).cause?.code
    return typeof code === 'string' ? code : 'failed'
  }
}
