import { withComma } from '#kernel/money.ts'
import type { Member } from '@vigencia/client'
import { csvLine, lineEnd } from '#platform/tables/write.ts'
import type { ApiClient } from './api-client.ts'
import { simulateAcknowledgement } from './carrier-simulator/acknowledgement.ts'
import {
  type CarrierFile,
  type CoveredBenefit,
  type InvoiceLine,
  type RosterLine,
  simulateInvoice,
  simulateRoster,
} from './carrier-simulator/carrier-file.ts'
import type { CommandDeclaration, Ending } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { followJob, printRefused } from './decision-job.ts'
import { CommandError } from './errors.ts'
import { apiCommand } from './operation.ts'
import { save, toFile } from './save.ts'
import { oneLine, print, printJson, printMessage } from './terminal.ts'

const id = '01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32'
const seedParameter = { '--seed <number>': 'repeats the same choices; without it 1' } as const

const acknowledgeCommand = apiCommand({
  name: 'acknowledge',
  description: 'answer a sent shipment as a carrier would: accept its items, refuse some (operator)',
  examples: {
    [`carrier-simulator acknowledge ${id} --refuse-count 3`]: 'three are refused, with made-up codes',
    [`carrier-simulator acknowledge ${id} --refuse 0.1 --seed 7 --output retorno.ndjson`]:
      'the answer as a file; nothing is sent',
  },
  parameters: {
    '<shipment-id>': 'from the list of shipments',
    ...seedParameter,
    '--refuse <share>': 'which share is refused, from 0 to 1; without it none',
    '--refuse-count <number>': 'how many are refused instead',
    '--output <file>': 'write the answer (NDJSON) to a file instead of sending it',
    '--yes': 'replace a file of that name without asking',
  },
  api: 'operator',
  async run({ shipmentId, seed, refuse, refuseCount, output, yes, json }, client): Promise<Ending | void> {
    const options = {
      seed: numberOf('--seed', seed, 1),
      refuse: numberOf('--refuse', refuse, 0, 1),
      ...(refuseCount !== undefined && { refuseCount: numberOf('--refuse-count', refuseCount, 0) }),
    }
    await client.sdk.clock.read()
    const items = await Array.fromAsync(client.sdk.shipments.items(shipmentId, { status: 'sent' }))
    if (items.length === 0) {
      const next = `vigencia shipment send ${shipmentId}`
      throw new CommandError('refused', 'The shipment has no items that wait for an answer.', next)
    }
    const lines = simulateAcknowledgement(items, options)
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    if (output !== undefined) {
      await confirmOverwrite(output, yes)
      await save([body], output)
      return printMessage(`${lines.length} lines written to ${output}.`)
    }
    const result = await followJob(json, (following) =>
      client.sdk.shipments.acknowledge(shipmentId, Buffer.from(body), { type: 'application/x-ndjson', ...following }),
    )
    if (json) printJson(result)
    else {
      for (const { 'enrollment-id': of, code, message } of lines) {
        if (code !== undefined) print(oneLine(`refused ${of} ${code} ${message}`))
      }
      printRefused(result, 'answer')
    }
    return result.rejected === 0 ? 'ok' : 'inPart'
  },
})

/** A command that writes a file of a carrier, and its errors beside it. */
function fileCommand<Line extends CoveredBenefit>(
  name: 'roster' | 'invoice',
  description: string,
  simulate: (
    benefits: readonly CoveredBenefit[],
    options: { readonly seed: number; readonly errors: number; readonly asOf: string },
  ) => CarrierFile<Line>,
  columns: Readonly<Record<string, (line: Line) => string | null>>,
): CommandDeclaration {
  return apiCommand({
    name,
    description: `${description}, with errors on purpose (operator)`,
    examples: {
      [`carrier-simulator ${name} ${id} --output ${name}.csv --errors 12`]: `also writes ${name}.csv.errors.json, which lists them`,
    },
    parameters: {
      '<contract-id>': 'from the list of contracts',
      '--output <file>': { description: 'the CSV; its errors are written to FILE.errors.json', isRequired: true },
      ...seedParameter,
      '--errors <number>': 'how many lines are wrong; without it 5',
      '--yes': 'replace files of these names without asking',
    },
    api: 'operator',
    async run({ contractId, output, seed, errors, yes, json }, client) {
      const options = { seed: numberOf('--seed', seed, 1), errors: numberOf('--errors', errors, 5) }
      const file = String(output)
      const listed = `${file}.errors.json`
      await confirmOverwrite(file, yes)
      await confirmOverwrite(listed, yes)
      const { 'business-date': asOf } = await client.sdk.clock.read()
      const made = simulate(await readCovered(client, contractId), { ...options, asOf })
      const rows = made.lines.map((line) => Object.values(columns).map((cell) => cell(line)))
      await toFile([[Object.keys(columns), ...rows].map((cells) => csvLine(cells) + lineEnd).join('')], file)
      const oracle = { kind: name, seed: options.seed, 'as-of': asOf, lines: rows.length, errors: made.errors }
      await toFile([`${JSON.stringify(oracle, null, 2)}\n`], listed)
      if (json) printJson({ file, ...oracle })
      else printMessage(`${rows.length} lines written to ${file}, ${made.errors.length} of them wrong: see ${listed}.`)
    },
  })
}

const coveredColumns = {
  'card-number': ({ cardNumber }: CoveredBenefit) => cardNumber,
  'tax-id': ({ taxId }: CoveredBenefit) => taxId,
  name: ({ name }: CoveredBenefit) => name,
  'date-of-birth': ({ dateOfBirth }: CoveredBenefit) => dateOfBirth,
  relationship: ({ relationship }: CoveredBenefit) => relationship,
  'carrier-plan-code': ({ planCode }: CoveredBenefit) => planCode,
  'start-date': ({ startDate }: CoveredBenefit) => startDate,
}

/** `vigencia carrier-simulator`. */
export const carrierSimulatorCommand: CommandDeclaration = {
  name: 'carrier-simulator',
  description: 'play the carrier of a staging service',
  commands: [
    acknowledgeCommand,
    fileCommand('roster', 'write the roster of a contract as a carrier would', simulateRoster, {
      ...coveredColumns,
      'end-date': ({ endDate }: RosterLine) => endDate,
    }),
    fileCommand('invoice', 'write the lines of an invoice of a contract', simulateInvoice, {
      ...coveredColumns,
      amount: ({ amount }: InvoiceLine) => withComma(amount),
    }),
  ],
}

/** The active benefits of the contract's plans, with their people. */
async function readCovered(client: ApiClient<'operator'>, contractId: string): Promise<CoveredBenefit[]> {
  const contract = await client.sdk.contracts.get(contractId)
  const companyTaxId = contract['company-tax-id']
  const plans = new Map(contract.plans.map((plan) => [plan['product-id'], plan['carrier-plan-code'] ?? '']))
  const members = client.sdk.members.list({ 'company-tax-id': companyTaxId, disclose: true })
  const covered: CoveredBenefit[] = []
  for await (const member of members) {
    for (const benefit of member.benefits) {
      const planCode = plans.get(benefit['product-id'])
      const isCovered = benefit['company-tax-id'] === companyTaxId && benefit.status === 'active'
      if (isCovered && planCode !== undefined) covered.push(coveredOf(member, benefit, planCode))
    }
  }
  return covered
}

function coveredOf({ profile }: Member, benefit: Member['benefits'][number], planCode: string): CoveredBenefit {
  return {
    benefitId: benefit['benefit-id'],
    cardNumber: benefit['card-number'] ?? '',
    taxId: profile['tax-id'],
    name: profile.name,
    dateOfBirth: profile['date-of-birth'],
    relationship: benefit['dependent-type'] ?? benefit.type,
    planCode,
    startDate: benefit['start-date'],
  }
}

function numberOf(option: string, text: string | undefined, preset: number, max = 2 ** 31): number {
  const value = text === undefined ? preset : Number(text)
  if (text?.trim() !== '' && value >= 0 && value <= max && (max === 1 || Number.isInteger(value))) return value
  throw new CommandError('usage', `${option} ${text} is no number from 0 to ${max}.`)
}
