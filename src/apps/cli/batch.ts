import type { Accepted, RejectedAlteration, RejectedExclusion, RejectedMember } from '@vigencia/client'
import type { ApiClient } from './api-client.ts'
import type { Ending, Values } from './command-builder.ts'
import type { MovementKind } from '#kernel/enums.ts'
import { addEvidence, intakeParameters, withIntake } from './intake.ts'
import { onceParameters, rawJson, sendOnce } from './once.ts'
import type { Payroll } from './payroll.ts'
import { watchRequest } from './request.ts'
import { isWorkbook, requireText } from './table-file.ts'
import { say } from './language.ts'
import { oneLine, print, printJson, printMessage } from './terminal.ts'

/** The options of a batch of movements. */
export const batchParameters = {
  '--dry-run': 'validate only; nothing is stored',
  '--lenient': 'accept the members without offenses, even when others have some',
  '--warnings': 'print the lines of warnings too; without it they are counted',
  '--watch': 'wait until the request is processed',
  '--company-tax-id <cnpj>': 'the company, when the file does not name it',
  '--format <format>': { description: 'when the name of the file does not show it', choices: ['csv', 'json'] },
  '--sheet <name>': 'XLSX: the sheet; without it the first one with a header',
  '--resolution <how>': {
    description: 'staging only: resolve the movements at once',
    choices: ['approve', 'reject'],
  },
  ...intakeParameters,
  ...onceParameters,
} as const

/** A workbook is known by its content. @throws CommandError for a file of another type. */
export function formatOfBatch(file: string, bytes: Buffer, format: 'csv' | 'json' | undefined): 'table' | 'json' {
  if (isWorkbook(bytes)) return 'table'
  requireText(file, bytes)
  return (format ?? (/\.(csv|txt)$/i.test(file) ? 'csv' : 'json')) === 'csv' ? 'table' : 'json'
}

type BatchValues = Omit<Values<typeof batchParameters>, 'format' | 'sheet'> & { readonly file: string }

/** The operation of each API. */
const batchIds = {
  inclusion: { partner: 'includeMembers', operator: 'includeMembersOfCompany' },
  exclusion: { partner: 'excludeMembers', operator: 'excludeMembersOfCompany' },
  alteration: { partner: 'alterMembers', operator: 'alterMembersOfCompany' },
} as const

type Warning = NonNullable<Accepted<'includeMembers' | 'alterMembers'>['warnings']>[number]

/** Also of an error with offenses of members. */
type BatchBody = Partial<Omit<Accepted<'includeMembers'>, 'result' | 'warnings'>> & {
  readonly warnings?: readonly Warning[]
  readonly result?: readonly Rejected[]
}

/** Sends the batch and prints the offenses of its members by the lines of the file. */
export async function sendBatch(
  client: ApiClient,
  movement: MovementKind,
  payroll: Payroll,
  values: BatchValues,
): Promise<Ending> {
  const { dryRun, lenient, watch, json, evidence } = values
  const bytes = withIntake(payroll.bytes, client.api, values)
  const { body, isReplayed, isAccepted } = await send(client, movement, bytes, values)
  if (body['request-id'] !== undefined) await addEvidence(client, body['request-id'], evidence)
  const rejected = body.result ?? []
  if (json) printJson(withLines(body, payroll))
  else printReport(payroll, body, values)
  const { members } = payroll
  const taken = members - rejected.length
  if (!isAccepted) printMessage(say`${rejected.length} of ${members} members have offenses; nothing was kept.`)
  else if (dryRun) {
    const text =
      rejected.length > 0 && !lenient
        ? say`Judged only: ${taken} of ${members} members would be taken with --lenient; nothing was kept.`
        : say`Judged only: ${taken} of ${members} members would be taken; nothing was kept.`
    printMessage(text)
  } else printMessage(say`${taken} of ${members} members taken.`)
  const ending = rejected.length === 0 ? 'ok' : isAccepted && !dryRun ? 'inPart' : 'refused'
  const requestId = body['request-id']
  if (requestId === undefined) return ending
  if (isReplayed) {
    printMessage(say`This file was taken before: this is that request. To send it as a new one: --again`)
  }
  // With `--json` standard output has the response only.
  if (watch) return (await watchRequest(client, requestId, json ? process.stderr : process.stdout)) ?? ending
  printMessage(say`See what becomes of it: vigencia request watch ${requestId}`)
  return ending
}

/** The products of a company, for tables that name them. */
export async function productsOf(client: ApiClient, companyTaxId: string) {
  const { products } = await client.sdk.companies.get(companyTaxId)
  return products
}

interface Sent {
  readonly body: BatchBody
  readonly isReplayed: boolean
  readonly isAccepted: boolean
}

/** An error with offenses of members is a result. */
async function send(
  client: ApiClient,
  movement: MovementKind,
  bytes: Buffer,
  { dryRun, lenient, resolution, again }: BatchValues,
): Promise<Sent> {
  const { InvalidMembersError } = await import('@vigencia/client')
  const id = batchIds[movement][client.api]
  const headers = lenient && { prefer: 'handling=lenient' }
  const call = { query: { resolution, 'dry-run': dryRun }, headers }
  try {
    if (!dryRun) return { ...(await sendOnce(client, id, call, bytes, again)), isAccepted: true }
    const body = await client.sdk.operations.request(id, { ...call, raw: rawJson(bytes) })
    return { body, isReplayed: false, isAccepted: true }
  } catch (error) {
    if (!(error instanceof InvalidMembersError)) throw error
    return { body: error.body, isReplayed: false, isAccepted: false }
  }
}

/** The response, each entry with its lines of the file. */
function withLines(body: BatchBody, { lines, warnings }: Payroll): unknown {
  const ofFile = warnings.map(({ line, ...warning }) => (line === null ? warning : { ...warning, lines: [line] }))
  const located = <T extends { index?: number }>(entries: readonly T[]) =>
    entries.map((entry) => (entry.index === undefined ? entry : { ...entry, lines: lines[entry.index] ?? [] }))
  return {
    ...body,
    ...(body.result === undefined ? {} : { result: located(body.result) }),
    ...(body.warnings === undefined && warnings.length === 0
      ? {}
      : { warnings: [...ofFile, ...located(body.warnings ?? [])] }),
  }
}

type Rejected = RejectedMember | RejectedExclusion | RejectedAlteration

/** The codes, each with the sentence of the service where there is one. */
function offensesOf({ offenses, 'offense-details': details }: Rejected): string {
  const isSaid = details.some(({ message }) => message !== undefined)
  if (!isSaid) return offenses.join(' ')
  const texts = details.map(({ code, message }) => (message === undefined ? code : `${code} (${oneLine(message)})`))
  return texts.join('; ')
}

/** Prints a line for each member with offenses and each missing document: its lines and the offenses, without personal data. */
function printReport(payroll: Payroll, body: BatchBody, values: BatchValues): void {
  const file = values.file === '-' ? 'stdin' : values.file
  const linesOf = (index: number | undefined) => (index === undefined ? [] : (payroll.lines[index] ?? []))
  const messageOf = ({ warning, field }: { warning: string; field: string }) =>
    `${say`warning`} ${warning} ${oneLine(field)}`
  const warnings = [
    ...payroll.warnings.map((warning) => ({
      lines: warning.line === null ? [] : [warning.line],
      message: messageOf(warning),
    })),
    ...(body.warnings ?? []).map((warning) => ({ lines: linesOf(warning.index), message: messageOf(warning) })),
  ]
  const missing = (body['missing-documents'] ?? []).map((missingDocument) => {
    const document = `${missingDocument['any-of'].join(say` or `)} (${oneLine(missingDocument.message)})`
    return { lines: linesOf(missingDocument.index), message: say`${missingDocument.enforcement} without ${document}` }
  })
  const placed = [
    ...missing,
    ...(body.result ?? []).map((rejected) => ({ lines: linesOf(rejected.index), message: offensesOf(rejected) })),
    ...(values.warnings ? warnings : []),
  ]
  for (const { lines, message } of placed.toSorted((a, b) => (a.lines[0] ?? -1) - (b.lines[0] ?? -1))) {
    print(`${file}${lines.length === 0 ? '' : `:${lines.join(',')}`}: ${message}`)
  }
  if (body['request-id'] !== undefined) print(`request-id ${body['request-id']}`)
  const kinds = Map.groupBy(values.warnings ? [] : warnings, ({ message }) => message)
  for (const [kind, some] of kinds) printMessage(say`${some.length} times ${kind}; --warnings prints the lines.`)
}
