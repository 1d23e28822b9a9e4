import { RESOLUTIONS } from '../domain/enums.ts'
import { type CallOptions, pathOf, responseError } from './api-client.ts'
import type { CommandDeclaration, Parameters, Values } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { readDocuments, readFields } from './fields.ts'
import { parseObject, readInput } from './json-file.ts'
import { onceParameters, sendOnce } from './once.ts'
import { apiCommand } from './operation.ts'
import { watchRequest } from './request.ts'
import { print, printJson, printMessage, printObject } from './terminal.ts'

/** The options of every movement. */
export const movementParameters = {
  '--reference <text>': 'your own reference, 1 to 100 characters, shown on the request, its movements and events',
  '--document <type=id...>': 'a document: its type, and its id of document upload',
  '--resolution <how>': { description: 'staging only: resolve the movement at once', choices: RESOLUTIONS },
  '--watch': 'wait until the request is processed',
  ...onceParameters,
} as const

interface Movement<Declared extends Parameters> extends Omit<CommandDeclaration<Declared>, 'run'> {
  readonly request: (values: Values<Declared>) => Call | Promise<Call>
}

type Call = Pick<CallOptions, 'body'> & { readonly path: string }

/** A command that sends one movement and prints the id of its request. */
export function movement<const Declared extends Parameters>({
  request,
  ...declared
}: Movement<Declared & typeof movementParameters>): CommandDeclaration {
  return apiCommand({
    ...declared,
    api: 'partner',
    async run(values, client) {
      const { resolution, again, watch, json } = values as Values<typeof movementParameters>
      const { path, body } = await request(values)
      const response = await sendOnce(client, path, { query: { resolution }, body }, again)
      if (!response.ok) throw await responseError(response)
      const made = (await response.json()) as { 'request-id': string }
      if (json) printJson(made)
      else print(`request-id ${made['request-id']}`)
      if (response.headers.get('idempotency-replayed') === 'true') {
        printMessage('This movement was taken before: this is that request. To send it as a new one: --again')
      }
      // With `--json` standard output has the response only.
      if (watch) return watchRequest(client, made['request-id'], json ? process.stderr : process.stdout)
      printMessage(`See what becomes of it: vigencia request watch ${made['request-id']}`)
    },
  })
}

/** The object of a file, if one is given, with the fields of the options over it. */
async function bodyOf(file: string | undefined): Promise<Record<string, unknown>> {
  return file === undefined ? {} : parseObject(file, await readInput(file))
}

const alterCommand = movement({
  name: 'alter',
  description: 'change the data, the product or the company of a member; staging only (partner)',
  examples: {
    'alter 52998224725 --set phone=11987654321 --set marital-status=married': 'a correction of registration data',
    'alter 52998224725 --set new-product-id=01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --set requested-start-date=2026-12-01':
      'a plan change',
    'alter 52998224725 alteration.json': 'the file is the body of POST /v1/enrollment/alteration',
  },
  parameters: {
    '<member-tax-id>': 'CPF of the member',
    '[file]': 'JSON: alteration-data, company-tax-id; `-` reads standard input',
    '--set <field=value...>': 'a key of `alteration-data`',
    '--company-tax-id <cnpj>': 'the company, when the member is in several',
    ...movementParameters,
  },
  async request({ memberTaxId, file, set, companyTaxId, reference, document }) {
    const body = await bodyOf(file)
    const documents = readDocuments(document)
    return {
      path: pathOf`/v1/enrollment/alteration/${memberTaxId}`,
      body: {
        ...body,
        ...(companyTaxId !== undefined && { 'company-tax-id': companyTaxId }),
        ...(reference !== undefined && { reference }),
        'alteration-data': {
          ...(body['alteration-data'] as object | undefined),
          ...readFields('--set', set),
          ...(documents && { documents }),
        },
      },
    }
  },
})

const one = { '<enrollment-id>': '', ...onceParameters } as const
const example = '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'

const cancelCommand = apiCommand({
  name: 'cancel',
  description: 'withdraw an open movement that has not reached the carrier (partner)',
  examples: { [`cancel ${example} --reason "Sent by mistake"`]: 'the movement is cancelled' },
  parameters: { ...one, '--reason <text>': 'why, for the history' },
  api: 'partner',
  async run({ enrollmentId, reason, again, json }, client) {
    const path = pathOf`/v1/enrollment/${enrollmentId}/cancel`
    await printDetail(await sendOnce(client, path, { body: { reason } }, again), json)
  },
})

const answerCommand = apiCommand({
  name: 'answer',
  description: 'send what a movement in pending-documents or pending-correction waits for (partner)',
  examples: {
    [`answer ${example} --document marriage-certificate=01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21`]: 'a document',
    [`answer ${example} --set mothers-name="Fátima Brandão" --comment "Was misspelt"`]: 'a correction',
  },
  parameters: {
    ...one,
    '--set <field=value...>': 'a corrected field, by its name in the movement',
    '--document <type=id...>': 'a document: its type, and its id of document upload',
    '--comment <text>': 'for the history, 1 to 500 characters',
  },
  api: 'partner',
  async run({ enrollmentId, set, document, comment, again, json }, client) {
    if (set === undefined && document === undefined && comment === undefined) {
      throw new CommandError('usage', 'Nothing was given to answer with.', 'Use --set, --document or --comment.')
    }
    const data = set === undefined ? undefined : readFields('--set', set)
    const body = { documents: readDocuments(document), data, comment }
    await printDetail(await sendOnce(client, pathOf`/v1/enrollment/${enrollmentId}/answer`, { body }, again), json)
  },
})

async function printDetail(response: Response, json: true | undefined): Promise<void> {
  if (!response.ok) throw await responseError(response)
  const body = (await response.json()) as { result: object }
  if (json) printJson(body)
  else printObject(body.result)
}

/** `vigencia alter`, `cancel`, `answer`. */
export const movementCommands: readonly CommandDeclaration[] = [alterCommand, cancelCommand, answerCommand]
