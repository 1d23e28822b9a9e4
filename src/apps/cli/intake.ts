import { INTAKE_MEDIA } from '#kernel/broker-enums.ts'
import type { ApiClient } from './api-client.ts'
import type { Values } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { say } from './language.ts'
import { openFile } from './json-file.ts'

/** How a request came to the broker: the options of an operator's movements. */
export const intakeParameters = {
  '--medium <medium>': { description: 'operator: how the request came', choices: INTAKE_MEDIA },
  '--received-at <timestamp>': 'operator: when it came, as 2026-12-04T18:40:00-03:00',
  '--requester-name <name>': 'operator: who asked',
  '--requester-contact <contact>': 'operator: an e-mail address or a phone number',
  '--evidence <file...>': 'operator: what shows it, such as the e-mail as a PDF',
} as const

type IntakeValues = Values<typeof intakeParameters>

/**
 * What the options say of how a request came; undefined of a partner's. @param sent what a file says of it.
 * @throws CommandError where both name none, and for a partner.
 */
export function intakeOf(api: 'partner' | 'operator', values: IntakeValues, sent?: object): object | undefined {
  const { medium, receivedAt, requesterName, requesterContact } = values
  const given = {
    medium,
    'received-at': receivedAt,
    'requester-name': requesterName,
    'requester-contact': requesterContact,
  }
  const isGiven = Object.values(given).some((value) => value !== undefined)
  if (api === 'partner') {
    if (!isGiven && values.evidence === undefined) return undefined
    throw new CommandError(
      'usage',
      say`Only what an operator requests came to the broker.`,
      say`Use --as operator, or leave --medium and its like out.`,
    )
  }
  if (!isGiven && sent === undefined) {
    throw new CommandError(
      'usage',
      say`How did the request come?`,
      say`Use --medium, --received-at and --requester-name.`,
    )
  }
  return { ...sent, ...given }
}

/** The same bytes with `intake`, of an operator; those of a partner as they are. @throws CommandError where the file and the options name none. */
export function withIntake(bytes: Buffer, api: 'partner' | 'operator', values: IntakeValues): Buffer {
  const body = api === 'operator' ? (JSON.parse(bytes.toString()) as { intake?: object }) : {}
  const intake = intakeOf(api, values, body.intake)
  return intake === undefined ? bytes : Buffer.from(JSON.stringify({ ...body, intake }))
}

/**
 * Adds the evidence to a request that has none: a command that is repeated adds it once. It is sent after the request, so that the repetition has
 * the same body.
 */
export async function addEvidence(client: ApiClient, requestId: string, files: readonly string[] = []): Promise<void> {
  if (files.length === 0) return
  const { operations } = client.sdk
  const { result } = await operations.request('readAnyRequest', { path: [requestId] })
  if ((result.intake?.documents ?? []).length > 0) return
  const documents = await uploadEvidence(client, files)
  await operations.request('addRequestEvidence', { path: [requestId], json: { documents } })
}

/** @returns the ids of the documents. */
export async function uploadEvidence(client: ApiClient, files: readonly string[]): Promise<string[]> {
  const documents: string[] = []
  for (const file of files) {
    const blob = await openFile(file)
    const { 'document-id': id } = await client.sdk.documents.upload(blob, { name: file.replace(/^.*[\\/]/, '') })
    documents.push(id)
  }
  return documents
}
