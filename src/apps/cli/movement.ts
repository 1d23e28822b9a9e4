import { RESOLUTIONS } from '#kernel/enums.ts'
import { ALTERATION_COLUMNS } from '#movements/rules/alteration-columns.ts'
import { batchParameters, formatOfBatch, productsOf, sendBatch } from './batch.ts'
import type { CommandDeclaration, Parameters, Values } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { readDocuments, readFields } from './fields.ts'
import { parseObject, readInput } from './json-file.ts'
import { onceParameters, sendOnce } from './once.ts'
import { apiCommand, argumentsOf } from './operation.ts'
import { templateCommand } from './template.ts'
import { watchRequest } from './request.ts'
import { say } from './language.ts'
import { oneLine, print, printJson, printMessage, printObject } from './terminal.ts'

/** The options of every movement. */
export const movementParameters = {
  '--dry-run': 'validate only; nothing is stored',
  '--reference <text>': 'your own reference, 1 to 100 characters, shown on the request, its movements and events',
  '--document <type=id...>': 'a document: its type, and its id of document upload',
  '--resolution <how>': { description: 'staging only: resolve the movement at once', choices: RESOLUTIONS },
  '--watch': 'wait until the request is processed',
  ...onceParameters,
} as const

type MovementId = 'excludeFromCompany' | 'excludeByProduct' | 'excludeByBenefit' | 'excludeDependent' | 'alterMember'

interface Movement<Declared extends Parameters> extends Omit<CommandDeclaration<Declared>, 'run'> {
  readonly operation: MovementId
  readonly request: (values: Values<Declared>) => object | Promise<object>
}

/** A command that sends one movement and prints the id of its request. */
export function movement<const Declared extends Parameters>({
  operation,
  request,
  ...declared
}: Movement<Declared & typeof movementParameters>): CommandDeclaration {
  const pathOf = argumentsOf(declared.parameters)
  return apiCommand({
    ...declared,
    api: 'partner',
    async run(values, client) {
      const { dryRun, resolution, again, watch, json } = values as Values<typeof movementParameters>
      const call = { path: pathOf(values), query: { resolution, 'dry-run': dryRun } }
      const { body, isReplayed } = await sendOnce(client, operation, call, await request(values), again)
      if (json) printJson(body)
      if ('dry-run' in body) {
        for (const { warning, field } of body.warnings ?? []) printMessage(say`warning ${warning} ${oneLine(field)}`)
        for (const { message } of body['missing-documents'] ?? []) printMessage(say`missing ${oneLine(message)}`)
        return printMessage(say`Judged only: the movement would be taken; nothing was kept.`)
      }
      const { 'request-id': id } = body
      if (!json) print(`request-id ${id}`)
      if (isReplayed) {
        printMessage(say`This movement was taken before: this is that request. To send it as a new one: --again`)
      }
      // With `--json` standard output has the response only.
      if (watch) return watchRequest(client, id, json ? process.stderr : process.stdout)
      printMessage(say`See what becomes of it: vigencia request watch ${id}`)
    },
  })
}

/** The object of a file, if one is given, with the fields of the options over it. */
async function bodyOf(file: string | undefined): Promise<Record<string, unknown>> {
  return file === undefined ? {} : parseObject(file, await readInput(file))
}

const alterFileCommand = apiCommand({
  name: 'file',
  description: 'alter the people of a file, JSON, CSV or XLSX, in one request; of a partner staging only',
  examples: {
    'alter file alterations.json --dry-run': 'validates it, and stores nothing',
    'alter file alterations.csv --company-tax-id 12ABC34501DE35 --lenient --watch':
      'accepts those without offenses, and waits for the request',
  },
  parameters: {
    '<file>':
      'the body of the batch as JSON, or CSV or XLSX with a line for each person: tax-id, and what changes; `-` reads standard input',
    ...batchParameters,
  },
  api: 'partner-first',
  async run(values, client) {
    const { file, companyTaxId = null, sheet } = values
    const bytes = await readInput(file)
    const { jsonPayroll, tableAlterations } = await import('./payroll.ts')
    const isTable = formatOfBatch(file, bytes, values.format) === 'table'
    const batch = isTable
      ? await tableAlterations(file, bytes, { companyTaxId, sheet }, async (taxId) => {
          return productsOf(client, taxId)
        })
      : jsonPayroll(file, bytes, companyTaxId)
    return sendBatch(client, 'alteration', batch, values)
  },
})

const alterCommand = movement({
  operation: 'alterMember',
  name: 'alter',
  commands: [
    alterFileCommand,
    templateCommand('a file of alterations', ALTERATION_COLUMNS, {
      'alter template --output alterations.xlsx': 'the columns in Portuguese, to fill in with a spreadsheet',
    }),
  ],
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
  async request({ file, set, companyTaxId, reference, document }) {
    const body = await bodyOf(file)
    const documents = readDocuments(document)
    return {
      ...body,
      ...(companyTaxId !== undefined && { 'company-tax-id': companyTaxId }),
      ...(reference !== undefined && { reference }),
      'alteration-data': {
        ...(body['alteration-data'] as object | undefined),
        ...readFields('--set', set),
        ...(documents && { documents }),
      },
    }
  },
})

const parametersOfOne = { '<enrollment-id>': '', ...onceParameters } as const
const example = '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'

const cancelCommand = apiCommand({
  name: 'cancel',
  description: 'withdraw an open movement that has not reached the carrier (partner)',
  examples: { [`cancel ${example} --reason "Sent by mistake"`]: 'the movement is cancelled' },
  parameters: { ...parametersOfOne, '--reason <text>': 'why, for the history' },
  api: 'partner',
  async run({ enrollmentId, reason, again, json }, client) {
    const { body } = await sendOnce(client, 'cancelEnrollment', { path: [enrollmentId] }, { reason }, again)
    printDetail(body, json)
  },
})

const answerCommand = apiCommand({
  name: 'answer',
  description: 'send what a movement in pending-documents or pending-correction waits for',
  examples: {
    [`answer ${example} --document marriage-certificate=01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21`]: 'a document',
    [`answer ${example} --set mothers-name="Fátima Brandão" --comment "Was misspelt"`]: 'a correction',
  },
  parameters: {
    ...parametersOfOne,
    '--set <field=value...>': 'a corrected field, by its name in the movement',
    '--document <type=id...>': 'a document: its type, and its id of document upload',
    '--comment <text>': 'for the history, 1 to 500 characters',
  },
  api: 'partner-first',
  async run({ enrollmentId, set, document, comment, again, json }, client) {
    if (set === undefined && document === undefined && comment === undefined) {
      throw new CommandError('usage', say`Nothing was given to answer with.`, say`Use --set, --document or --comment.`)
    }
    const data = set === undefined ? undefined : readFields('--set', set)
    const given = { documents: readDocuments(document), data, comment }
    const id = client.api === 'partner' ? 'answerEnrollment' : 'answerAnyEnrollment'
    const { body } = await sendOnce(client, id, { path: [enrollmentId] }, given, again)
    printDetail(body, json)
  },
})

function printDetail(body: { result: object }, json: true | undefined): void {
  if (json) printJson(body)
  else printObject(body.result)
}

/** `vigencia alter`, `cancel`, `answer`. */
export const movementCommands: readonly CommandDeclaration[] = [alterCommand, cancelCommand, answerCommand]
