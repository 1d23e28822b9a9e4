import { setTimeout as pause } from 'node:timers/promises'
import { styleText } from 'node:util'
import { type ApiClient, pathOf } from './api-client.ts'
import type { CommandDeclaration, Ending } from './command-builder.ts'
import { apiCommand } from './operation.ts'
import { interruption, openProgress, print, printItems, printJson, type Screen } from './terminal.ts'

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
export const requestCommand: CommandDeclaration = {
  name: 'request',
  description: 'movement requests',
  commands: [
    apiCommand({
      name: 'watch',
      description: 'wait until a request is processed (partner)',
      examples: {
        'request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'a bar in a terminal, a line for each step in a pipe',
        'request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --parts': 'also the status of each part',
      },
      parameters: { '<request-id>': '', '--parts': 'print each part with its CPF at the end' },
      api: 'partner',
      async run({ requestId, parts, json }, client) {
        // With `--json` standard output has the JSON only.
        const request = await waitForRequest(client, requestId, json ? process.stderr : process.stdout)
        if (json) printJson(request)
        else printSummary(request, process.stdout)
        if (parts && !json) printParts(request)
        return endingOf(request)
      },
    }),
  ],
}

const maxPollMs = 2_000

/** Shows the progress and the summary of a request until it is final. @returns how the command ends. */
export async function watchRequest(client: ApiClient, id: string, screen: Screen): Promise<Ending> {
  const request = await waitForRequest(client, id, screen)
  printSummary(request, screen)
  return endingOf(request)
}

async function waitForRequest(client: ApiClient, id: string, screen: Screen): Promise<Request> {
  const progress = openProgress(screen)
  try {
    for (let wait = 250; ; wait = Math.min(wait * 1.3, maxPollMs)) {
      const request = await client.call<Request>('GET', pathOf`/v1/request/${id}`)
      const parts = partsOf(request)
      progress.show(parts.filter((part) => part.status !== 'processing').length, parts.length, request.status)
      if (request.status !== 'processing') return request
      await pause(wait, undefined, { signal: interruption() })
    }
  } finally {
    progress.end()
  }
}

function endingOf({ status }: Request): Ending {
  if (status === 'partial-failure') return 'inPart'
  if (status === 'failed') return 'refused'
}

function partsOf(request: Request): Part[] {
  return Object.values(request['status-by-tax-id']).flatMap((products) => Object.values(products))
}

function printSummary(request: Request, screen: Screen): void {
  const status = styleText(request.status === 'completed' ? 'green' : 'red', request.status, { stream: screen })
  const enrollments = Object.entries(request['enrollment-summary']).map(([name, count]) => `${count} ${name}`)
  const summary = enrollments.length === 0 ? 'no enrollments' : `enrollments: ${enrollments.join(', ')}`
  print(`Request ${request['request-id']} ${status}; ${summary}.`, screen)
  const offenses = partsOf(request).flatMap((part) => part.offenses ?? [])
  for (const [offense, { length }] of Map.groupBy(offenses, (one) => one))
    print(`  ${length} failed: ${offense}`, screen)
}

function printParts(request: Request): void {
  const parts = Object.entries(request['status-by-tax-id']).flatMap(([taxId, products]) =>
    Object.entries(products).map(([product, part]) => ({ ...part, taxId, product })),
  )
  printItems(parts, { 'MEMBER-TAX-ID': 'taxId', PRODUCT: 'product', STATUS: 'status', OFFENSES: 'offenses' })
}
