import type { Command } from 'commander'
import { type CommandOptions, calling, group } from './command-builder.ts'
import { everyItem, openApiClient, pathOf } from './api-client.ts'
import { CommandError } from './errors.ts'
import { print, printJson } from './terminal.ts'
import type { CommandContext } from './context.ts'

export interface ListenAsked extends CommandOptions {
  readonly forwardTo?: string
  readonly secret?: string
  readonly type?: string[]
  readonly since?: string
}

/** `vigencia webhook listen` and `trigger`. */
export function webhookCommand(context: CommandContext): Command {
  const listen = calling(
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
    .action(async (options: ListenAsked) => (await import('./listen.ts')).listenForEvents(context, options))
  const trigger = calling('trigger', 'send a test event to one webhook endpoint, or to all of yours (partner)', [
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
