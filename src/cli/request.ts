import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { type CommandOptions, apiCommand, group } from './command-builder.ts'
import { type ApiClient, openApiClient, pathOf } from './api-client.ts'
import { colored, openProgress, print, printJson, printTable } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface Part {
  readonly status: string
  readonly offenses?: readonly string[]
}

interface Request {
  readonly 'request-id': string
  readonly status: string
  readonly 'enrollment-summary': Readonly<Record<string, number>>
  readonly 'status-by-tax-id': Readonly<Record<string, Readonly<Record<string, Part>>>>
}

/** `vigencia request watch`. */
export function requestCommand(context: CommandContext): Command {
  const watch = apiCommand('watch', 'wait until a request is processed (partner)', [
    ['request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'a bar in a terminal, a line for each step in a pipe'],
    ['request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --parts', 'also the status of each part'],
  ])
    .argument('<request-id>')
    .option('--parts', 'print each part with its CPF at the end')
    .action((id: string, options: CommandOptions & { parts?: true }) =>
      watchRequest(context, openApiClient(context, 'partner', options), id, options),
    )
  return group('request', 'movement requests', [watch])
}

const maxPollMs = 2_000

/** Shows a request until it is final. Ends `inPart` or `refused` when not every part became an enrollment. */
export async function watchRequest(
  context: CommandContext,
  client: ApiClient,
  id: string,
  options: CommandOptions & { parts?: true },
): Promise<void> {
  // With `--json` standard output has the JSON only.
  const output = options.json ? context.stderr : context.stdout
  const progress = openProgress(context, output)
  let request: Request
  try {
    for (let wait = 250; ; wait = Math.min(wait * 1.3, maxPollMs)) {
      request = await client.call<Request>('GET', pathOf`/v1/request/${id}`)
      const parts = partsOf(request)
      progress.show(parts.filter((part) => part.status !== 'processing').length, parts.length, request.status)
      if (request.status !== 'processing') break
      await pause(wait, undefined, { signal: context.interruption })
    }
  } finally {
    progress.end()
  }
  if (request.status === 'partial-failure') context.exitStatus = 'inPart'
  if (request.status === 'failed') context.exitStatus = 'refused'
  if (options.json) return printJson(context, request)
  printSummary(context, request)
  if (options.parts) printParts(context, request)
}

function partsOf(request: Request): Part[] {
  return Object.values(request['status-by-tax-id']).flatMap((products) => Object.values(products))
}

function printSummary(context: CommandContext, request: Request): void {
  const color = request.status === 'completed' ? 'green' : 'red'
  const enrollments = Object.entries(request['enrollment-summary']).map(([status, count]) => `${count} ${status}`)
  const summary = enrollments.length === 0 ? 'no enrollments' : `enrollments: ${enrollments.join(', ')}`
  print(
    context,
    `Request ${request['request-id']} ${colored(context, context.stdout, color, request.status)}; ${summary}.`,
  )
  const offenses = partsOf(request).flatMap((part) => part.offenses ?? [])
  const counts = new Map<string, number>()
  for (const one of offenses) counts.set(one, (counts.get(one) ?? 0) + 1)
  for (const [offense, count] of counts) print(context, `  ${count} failed: ${offense}`)
}

function printParts(context: CommandContext, request: Request): void {
  const rows = Object.entries(request['status-by-tax-id']).flatMap(([taxId, products]) =>
    Object.entries(products).map(([product, part]) => [taxId, product, part.status, (part.offenses ?? []).join(' ')]),
  )
  printTable(context, ['MEMBER-TAX-ID', 'PRODUCT', 'STATUS', 'OFFENSES'], rows)
}
