import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { Webhook } from 'standardwebhooks'
import { type ApiClient, everyItem, openApiClient, pathOf } from './api-client.ts'
import { apiCommand, type CommandOptions, group } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { CommandError } from './errors.ts'
import { oneLine, print, printJson, printMessage } from './terminal.ts'

export interface ListenOptions extends CommandOptions {
  readonly forwardTo?: string
  readonly secret?: string
  readonly type?: string[]
  readonly since?: string
}

/** `vigencia webhook listen` and `trigger`. */
export function webhookCommand(context: CommandContext): Command {
  const listen = apiCommand(
    'listen',
    'print the events of your companies as they happen, and forward them to a laptop (partner)',
    [
      [
        'webhook listen --forward-to http://127.0.0.1:8080/hook',
        'signed as Standard Webhooks, with a secret that it prints',
      ],
      ['webhook listen --type enrollment.completed --json', 'only prints, a JSON document for each event'],
    ],
  )
    .option('--forward-to <url>', 'where to send each event, with POST')
    .option('--secret <whsec>', 'sign with this secret instead of a new one')
    .option('--type <type...>', 'only events of these types')
    .option('--since <time>', 'begin with the events after that time (ISO 8601) instead of now')
    .action((options: ListenOptions) => listenForEvents(context, options))
  const trigger = apiCommand('trigger', 'send a test event to one webhook endpoint, or to all of yours (partner)', [
    ['webhook trigger', 'each endpoint gets a webhook.test'],
    ['webhook trigger 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'one endpoint'],
  ])
    .argument('[endpoint-id]')
    .action((id: string | undefined, options: CommandOptions) => triggerTest(context, id, options))
  return group('webhook', 'events', [listen, trigger])
}

interface Endpoint {
  readonly id: string
  readonly url: string
  readonly status: string
}

async function triggerTest(context: CommandContext, only: string | undefined, options: CommandOptions): Promise<void> {
  const client = openApiClient(context, 'partner', options)
  const ids =
    only === undefined
      ? (await Array.fromAsync(everyItem<Endpoint>(client, '/v1/webhook-endpoint')))
          .filter((one) => one.status === 'enabled')
          .map((one) => one.id)
      : [only]
  if (ids.length === 0) {
    throw new CommandError('refused', 'There is no enabled webhook endpoint to send to.', {
      next: 'Make one with POST /v1/webhook-endpoint, or try on a laptop: vigencia webhook listen --forward-to URL',
    })
  }
  const events: { id: string }[] = []
  for (const id of ids) {
    const { result } = await client.call<{ result: { id: string } }>('POST', pathOf`/v1/webhook-endpoint/${id}/test`)
    events.push(result)
    if (!options.json) print(context, `endpoint ${id}\tevent ${result.id}`)
  }
  if (options.json) printJson(context, { result: events })
}

interface Event {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

const pollMs = 1_000
const forwardMs = 15_000
/** Events with earlier timestamps may become visible later: each poll reads back this far. */
const overlapMs = 120_000
const maxPages = 100

/** Prints and forwards events until interrupted, each once, oldest first. */
async function listenForEvents(context: CommandContext, options: ListenOptions): Promise<void> {
  const target = options.forwardTo === undefined ? null : readTarget(options.forwardTo)
  const asOf = options.since === undefined ? null : Date.parse(options.since)
  if (Number.isNaN(asOf))
    throw new CommandError('usage', `${options.since} is not a time.`, { next: 'Write it as 2026-11-21T13:05:09Z' })
  const key = secretKey(options.secret ?? `whsec_${randomBytes(24).toString('base64')}`)
  const client = openApiClient(context, 'partner', options)
  const { interruption } = context
  const seen = new Map<string, number>()
  const remember = (event: Event) => seen.set(event.id, Date.parse(event.timestamp))
  // By the clock of the service: new events are those after its last one.
  let newest = asOf ?? Date.parse((await readSince(client, Number.POSITIVE_INFINITY))[0]?.timestamp ?? '1970-01-01')
  const floor = asOf ?? newest - overlapMs
  if (asOf === null) for (const one of await readSince(client, floor)) remember(one)
  printMessage(
    context,
    `Listening for events at ${client.url}${target === null ? '' : `, forwarding to ${target}`}; Ctrl-C ends.`,
  )
  if (target !== null) printMessage(context, `Signing secret: whsec_${key.toString('base64')}`)
  while (!interruption.aborted) {
    try {
      const read = await readSince(client, Math.max(floor, newest - overlapMs))
      const unseen = read.filter((one) => !seen.has(one.id))
      for (const event of unseen.toReversed()) {
        remember(event)
        newest = Math.max(newest, Date.parse(event.timestamp))
        if (options.type === undefined || options.type.includes(event.type))
          await deliver(context, event, target, key, options)
      }
      for (const [id, at] of seen) if (at < newest - 2 * overlapMs) seen.delete(id)
      await pause(pollMs, undefined, { signal: interruption })
    } catch (error) {
      if (interruption.aborted) break
      if (!(error instanceof CommandError && error.exitStatus === 'unreachable')) throw error
      printMessage(context, `${error.message} Waiting for it.`)
      await pause(5 * pollMs, undefined, { signal: interruption }).catch(() => {})
    }
  }
  printMessage(context, 'Stopped.')
}

function readTarget(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandError('usage', `${text} is not a URL to forward to.`, {
      next: 'Write it as http://127.0.0.1:8080/hook',
    })
  }
  return url.href
}

function secretKey(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length < 16)
    throw new CommandError('usage', 'The secret is too short.', {
      next: 'It is `whsec_` and 24 to 64 bytes in base64.',
    })
  return key
}

/** Events from that time on, newest first; for infinity, the newest event only. */
async function readSince(client: ApiClient, since: number): Promise<Event[]> {
  const found: Event[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const query = { page, 'items-per-page': 100 }
    const { result } = await client.call<{ result: Event[] }>('GET', '/v1/webhook-event', { query })
    found.push(...result.filter((one) => Date.parse(one.timestamp) >= since))
    if (since === Number.POSITIVE_INFINITY) return result.slice(0, 1)
    const last = result.at(-1)
    if (last === undefined || result.length < 100 || Date.parse(last.timestamp) < since) break
  }
  // New events shift the pages: an event may be read twice.
  return [...new Map(found.map((one) => [one.id, one])).values()]
}

async function deliver(
  context: CommandContext,
  event: Event,
  target: string | null,
  key: Buffer,
  options: ListenOptions,
): Promise<void> {
  const response = target === null ? null : await forward(context, event, target, key)
  if (options.json) printJson(context, response === null ? event : { ...event, forwarded: response })
  else
    print(
      context,
      [event.timestamp, event.type, event.id, ...(response === null ? [] : [`-> ${response}`])]
        .map((one) => oneLine(one))
        .join('  '),
    )
}

/** Sends the event as the service sends deliveries (Standard Webhooks 1.0), without retries. @returns the status or an error code. */
async function forward(context: CommandContext, event: Event, target: string, key: Buffer): Promise<number | string> {
  const body = JSON.stringify({ type: event.type, timestamp: event.timestamp, data: event.data })
  const now = new Date()
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
      signal: AbortSignal.any([context.interruption, AbortSignal.timeout(forwardMs)]),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    context.interruption.throwIfAborted()
    const code = (error as { cause?: { code?: unknown } }).cause?.code
    return typeof code === 'string' ? code : 'failed'
  }
}
