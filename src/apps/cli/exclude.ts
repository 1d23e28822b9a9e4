import { CONTINUATION_OPTIONS, EXCLUSION_REASONS } from '#kernel/enums.ts'
import { batchParameters, formatOfBatch, sendBatch } from './batch.ts'
import type { CommandDeclaration, Values } from './command-builder.ts'
import { readDocuments } from './fields.ts'
import { readInput } from './json-file.ts'
import { movement, movementParameters } from './movement.ts'
import { apiCommand } from './operation.ts'
import { LEAVER_COLUMNS } from '#movements/rules/leaver-columns.ts'
import { templateCommand } from './template.ts'

const booleans = ['true', 'false'] as const

const details = {
  '--end-date <date>': { description: 'the last day covered', isRequired: true },
  '--reason <reason>': { description: 'why', choices: EXCLUSION_REASONS, isRequired: true },
  '--reason-details <text>': 'required for `other`',
  '--extension-plan':
    'keeps the plan after dismissal or retirement, and of who had retired; for a term with the options from --contributed on',
  '--requested-at <date>': 'the day on which the person asked, of `requested-by-beneficiary`',
  '--contributed <boolean>': { description: 'whether the person paid a part of the premium', choices: booleans },
  '--contribution-months <number>': { description: 'for how many months', parse: Number },
  '--keeps-working-after-retirement':
    'the person had retired and worked on: then the right is that of the retired, also after other reasons',
  '--notice-date <date>': 'the day of the notice that the plan can be kept',
  '--option <option>': { description: 'what the person answered', choices: CONTINUATION_OPTIONS },
  '--option-date <date>': 'the day of the answer',
  ...movementParameters,
} as const

const member = { '<member-tax-id>': 'CPF of the member' } as const
const ending = '--end-date 2026-11-30 --reason dismissal'
const cpf = '52998224725'
const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

function bodyOf(values: Values<typeof details>): object {
  const { endDate, reason, reasonDetails, extensionPlan, document, reference, contributed } = values
  return {
    'exclusion-details': {
      'end-date': endDate,
      'exclusion-reason': reason,
      'exclusion-reason-details': reasonDetails,
      'extension-plan': extensionPlan,
      'requested-at': values.requestedAt,
      contributed: contributed === undefined ? undefined : contributed === 'true',
      'contribution-months': values.contributionMonths,
      'keeps-working-after-retirement': values.keepsWorkingAfterRetirement,
      'notice-date': values.noticeDate,
      option: values.option,
      'option-date': values.optionDate,
      documents: readDocuments(document),
    },
    reference,
  }
}

/** `vigencia exclude company`, `product`, `benefit`, `dependent`, `file`. */
export const excludeCommand: CommandDeclaration = {
  name: 'exclude',
  description: 'exclude people from benefits',
  commands: [
    movement({
      name: 'company',
      description: 'exclude a member from everything that it has in a company, with its dependents (partner)',
      examples: {
        [`exclude company ${cpf} 12ABC34501DE35 ${ending}`]: 'all products, in one request',
        [`exclude company ${cpf} 12ABC34501DE35 ${ending} --extension-plan --contributed true --contribution-months 40 --notice-date 2026-11-25`]:
          'and a continuation, which has a term',
      },
      parameters: { ...member, '<company-tax-id>': 'CNPJ of the company', ...details },
      operation: 'excludeFromCompany',
      request: bodyOf,
    }),
    movement({
      name: 'product',
      description: 'exclude a member from a product, with its dependents (partner)',
      examples: {
        [`exclude product ${cpf} ${id} ${ending} --dry-run`]:
          'judges it, and stores nothing; the id is that of product list',
      },
      parameters: { ...member, '<product-id>': '', ...details },
      operation: 'excludeByProduct',
      request: bodyOf,
    }),
    movement({
      name: 'benefit',
      description: 'exclude one benefit of a member, with those of its dependents (partner)',
      examples: { [`exclude benefit ${cpf} ${id} ${ending} --watch`]: 'the id is that of benefit list' },
      parameters: { ...member, '<benefit-id>': '', ...details },
      operation: 'excludeByBenefit',
      request: bodyOf,
    }),
    movement({
      name: 'dependent',
      description: 'exclude a dependent of a member (partner)',
      examples: {
        [`exclude dependent 11144477735 ${cpf} --end-date 2026-11-30 --reason loss-of-dependent-status`]:
          'the dependent, then the primary',
      },
      parameters: { ...member, '<primary-member-tax-id>': 'CPF of the primary member', ...details },
      operation: 'excludeDependent',
      request: bodyOf,
    }),
    apiCommand({
      name: 'file',
      description: 'exclude the people of a file of leavers, JSON, CSV or XLSX, in one request',
      examples: {
        'exclude file leavers.csv --company-tax-id 12ABC34501DE35 --dry-run': 'validates it, and stores nothing',
        'exclude file leavers.csv --end-date 2026-11-30 --reason dismissal --watch':
          'for the lines that have no date or reason of their own',
      },
      parameters: {
        '<file>':
          'the body of the batch as JSON, or CSV or XLSX with a line for each person: tax-id, end-date, exclusion-reason, and product-id, benefit-id or primary-member-tax-id for less than everything; `-` reads standard input',
        '--end-date <date>': 'CSV, XLSX: the last day covered of the lines without one',
        '--reason <reason>': { description: 'CSV, XLSX: that of the lines without one', choices: EXCLUSION_REASONS },
        ...batchParameters,
      },
      api: 'partner-first',
      async run(values, client) {
        const { file, companyTaxId = null, endDate, reason, sheet } = values
        const bytes = await readInput(file)
        const { tableLeavers, jsonPayroll } = await import('./leavers.ts')
        const isTable = formatOfBatch(file, bytes, values.format) === 'table'
        const defaults = { 'end-date': endDate, 'exclusion-reason': reason }
        const batch = isTable
          ? await tableLeavers(file, bytes, companyTaxId, defaults, sheet)
          : jsonPayroll(file, bytes, companyTaxId)
        return sendBatch(client, 'exclusion', batch, values)
      },
    }),
    templateCommand('a file of leavers', LEAVER_COLUMNS, {
      'exclude template --output leavers.xlsx': 'with the reasons as a list',
    }),
  ],
}
