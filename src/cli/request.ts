import { setTimeout as pause } from 'node:timers/promises'
import { styleText } from 'node:util'
import { REQUEST_STATUSES, REQUEST_TYPES } from '../domain/enums.ts'
import { type ApiClient, pathOf, root } from './api-client.ts'
import type { CommandDeclaration, Ending } from './command-builder.ts'
import { apiCommand, listOperation, operation } from './operation.ts'
import { interruption, openProgress, print, printItems, printJson, type Screen } from './terminal.ts'

interface Part {
  readonly status: string
  readonly offenses?: readonly string[]
  /** That of its movement; absent before there is one. */
  readonly 'enrollment-status'?: string | null
}

interface Request {
  readonly 'request-id': string
  readonly status: string
  readonly 'enrollment-summary': Readonly<Record<string, number>>
  readonly 'status-by-tax-id': Readonly<Record<string, Readonly<Record<string, Part>>>>
}

/** `vigencia request list`, `show`, `watch`. */
export const requestCommand: CommandDeclaration = {
  name: 'request',
  description: 'movement requests',
  commands: [
    listOperation({
      name: 'list',
      description: 'list requests, newest first (partner or operator)',
      examples: {
        'request list --status partial-failure': 'those of which a part failed',
        'request list --reference 2026-11/folha --columns request-id,status': 'by your own reference',
      },
      parameters: {
        '--type <type>': { description: 'only of this type', choices: REQUEST_TYPES },
        '--status <status>': { description: 'only with this status', choices: REQUEST_STATUSES },
        '--company-tax-id <cnpj>': 'only of this company',
        '--reference <text>': 'only with this reference',
        '--from <date>': 'made on or after that day',
        '--until <date>': 'made on or before that day',
        '--updated-since <time>': 'partner: what changed at or after that time (UTC)',
      },
      api: 'either',
      request: ({ type, status, companyTaxId, reference, from, until, updatedSince }, api) => ({
        path: `${root[api]}/request`,
        query: {
          'request-type': type,
          status,
          'company-tax-id': companyTaxId,
          reference,
          'from-dt': from,
          'until-dt': until,
          'updated-since': updatedSince,
        },
      }),
      columns: {
        'REQUEST-ID': 'request-id',
        TYPE: 'request-type',
        STATUS: 'status',
        'COMPANY-TAX-ID': 'company-tax-id',
        REFERENCE: 'reference',
        'CREATED-AT': 'created-at',
      },
    }),
    operation({
      name: 'show',
      description: 'show a request with its parts (partner or operator)',
      examples: { 'request show 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'the status of each member and product' },
      parameters: { '<request-id>': '' },
      api: 'either',
      request: ({ requestId }, api) => ({ method: 'GET', path: `${root[api]}${pathOf`/request/${requestId}`}` }),
      isShown: true,
    }),
    apiCommand({
      name: 'watch',
      description: 'wait until a request is processed (partner)',
      examples: {
        'request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'a bar in a terminal, a line for each step in a pipe',
        'request watch 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --parts': 'also what has become of each part',
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
    Object.entries(products).map(([product, part]) => {
      const status = part['enrollment-status'] ?? part.status
      return { ...part, status, taxId, product }
    }),
  )
  printItems(parts, { 'MEMBER-TAX-ID': 'taxId', PRODUCT: 'product', STATUS: 'status', OFFENSES: 'offenses' })
}
