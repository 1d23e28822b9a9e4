import { styleText } from 'node:util'
import type { MovementRequest } from '@vigencia/client'
import type { ApiClient } from './api-client.ts'
import type { Ending } from './command-builder.ts'
import { apiCommand } from './operation.ts'
import { say } from './language.ts'
import { interruption, openProgress, print, printItems, printJson, type Screen } from './terminal.ts'

/** `vigencia request watch`. */
export const requestWatchCommand = apiCommand({
  name: 'watch',
  description: 'wait until a request is processed',
  examples: {
    'request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'a bar in a terminal, a line for each step in a pipe',
    'request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --parts': 'also what has become of each part',
  },
  parameters: { '<request-id>': '', '--parts': 'print each part with its CPF at the end' },
  api: 'partner-first',
  async run({ requestId, parts, json }, client) {
    // With `--json` standard output has the JSON only.
    const request = await waitForRequest(client, requestId, json ? process.stderr : process.stdout)
    if (json) printJson(request)
    else printSummary(request, process.stdout)
    if (parts && !json) printParts(request)
    return endingOf(request)
  },
})

/** Shows the progress and the summary of a request until it is final. @returns how the command ends. */
export async function watchRequest(client: ApiClient, id: string, screen: Screen): Promise<Ending> {
  const request = await waitForRequest(client, id, screen)
  printSummary(request, screen)
  return endingOf(request)
}

async function waitForRequest(client: ApiClient, id: string, screen: Screen): Promise<MovementRequest> {
  const progress = openProgress(screen)
  try {
    return await client.sdk.requests.wait(id, {
      signal: interruption(),
      onProgress(request) {
        const parts = partsOf(request)
        progress.show(parts.filter((part) => part.status !== 'processing').length, parts.length, request.status)
      },
    })
  } finally {
    progress.end()
  }
}

function endingOf({ status }: MovementRequest): Ending {
  if (status === 'partial-failure') return 'inPart'
  if (status === 'failed') return 'refused'
}

function partsOf(request: MovementRequest) {
  return Object.values(request['status-by-tax-id']).flatMap((products) => Object.values(products))
}

function printSummary(request: MovementRequest, screen: Screen): void {
  const status = styleText(request.status === 'completed' ? 'green' : 'red', request.status, { stream: screen })
  const enrollments = Object.entries(request['enrollment-summary']).map(([name, count]) => `${count} ${name}`)
  const summary = enrollments.length === 0 ? say`no enrollments` : say`enrollments: ${enrollments.join(', ')}`
  print(say`Request ${request['request-id']} ${status}; ${summary}.`, screen)
  const offenses = partsOf(request).flatMap((part) => part.offenses ?? [])
  for (const [offense, { length }] of Map.groupBy(offenses, (offense) => offense))
    print(say`  ${length} failed: ${offense}`, screen)
}

function printParts(request: MovementRequest): void {
  const parts = Object.entries(request['status-by-tax-id']).flatMap(([taxId, products]) =>
    Object.entries(products).map(([product, part]) => {
      const status = part['enrollment-status'] ?? part.status
      return { ...part, status, taxId, product }
    }),
  )
  printItems(parts, { 'MEMBER-TAX-ID': 'taxId', PRODUCT: 'product', STATUS: 'status', OFFENSES: 'offenses' })
}
