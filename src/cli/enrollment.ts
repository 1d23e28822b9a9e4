import { ENROLLMENT_STATUSES, REQUEST_TYPES } from '../domain/enums.ts'
import type { CommandDeclaration, Values } from './command-builder.ts'
import { decideCommand } from './decide.ts'
import { enrollmentWorkCommands } from './enrollment-work.ts'
import { listParameters, printList, readList } from './list.ts'
import { apiCommand, listOperation, operation } from './operation.ts'
import { downloadOperation } from './save.ts'
import { print } from './terminal.ts'
import { transitionCommands } from './transition.ts'

const selection = {
  '--status <status>': { description: 'only movements in this status', choices: ENROLLMENT_STATUSES },
  '--type <type>': { description: 'only movements of this type', choices: REQUEST_TYPES },
  '--company-tax-id <cnpj>': 'only of this company',
  '--member-tax-id <cpf>': 'only of this member',
} as const

/** What selects movements of the queue, beside the status. */
const queueSelection = {
  '--type <type>': selection['--type <type>'],
  '--company-tax-id <cnpj>': selection['--company-tax-id <cnpj>'],
  '--member-tax-id <cpf>': selection['--member-tax-id <cpf>'],
  '--carrier <name>': 'only of this carrier',
  '--product-id <id>': 'only of this product',
  '--from <date>': 'made on or after that day',
  '--until <date>': 'made on or before that day',
  '--resolved-from <date>': 'completed, rejected or cancelled on or after that day',
  '--resolved-until <date>': 'completed, rejected or cancelled on or before that day',
  '--assignee <client-id>': 'only those that this operator has',
  '--due-from <date>': 'only those that the carrier must hear of on or after that day',
  '--due-before <date>': 'only those that the carrier must hear of before that day',
  '--query <text>': 'only those whose name, CPF or employee id holds it',
} as const

const queue = {
  '--status <status>': { description: 'only movements in this status', choices: [...ENROLLMENT_STATUSES, 'open'] },
  ...queueSelection,
  '--sort <field>': { description: 'the order', choices: ['created-at', 'due-date'] },
} as const

const filterOf = (values: Values<typeof queueSelection>) => ({
  'enrollment-type': values.type,
  'company-tax-id': values.companyTaxId,
  'member-tax-id': values.memberTaxId,
  'carrier-name': values.carrier,
  'product-id': values.productId,
  'from-dt': values.from,
  'until-dt': values.until,
  'resolved-from-dt': values.resolvedFrom,
  'resolved-until-dt': values.resolvedUntil,
  assignee: values.assignee,
  'due-from': values.dueFrom,
  'due-before': values.dueBefore,
  q: values.query,
})

const queryOf = (values: Values<typeof queue>) => ({ status: values.status, ...filterOf(values), sort: values.sort })

interface Item {
  readonly 'member-type': string
  readonly 'primary-member-tax-id'?: string | null
}

const columns = {
  'ENROLLMENT-ID': 'id',
  TYPE: 'enrollment-type',
  STATUS: 'status',
  NAME: 'member-name',
  'MEMBER-TAX-ID': 'member-tax-id',
  MEMBER: (item: Item) => {
    const primary = item['primary-member-tax-id']
    return primary === null || primary === undefined ? item['member-type'] : `dependent of ${primary}`
  },
  'COMPANY-TAX-ID': 'company-tax-id',
  CARRIER: 'carrier-name',
  PRODUCT: 'product-name',
  DUE: 'due-date',
  'CREATED-AT': 'created-at',
}

const historyColumns = {
  'ENROLLMENT-ID': 'id',
  TYPE: 'enrollment-type',
  STATUS: 'status',
  'MEMBER-TAX-ID': 'member-tax-id',
  'COMPANY-TAX-ID': 'company-tax-id',
  CARRIER: 'carrier-name',
  PRODUCT: 'product-name',
  'CREATED-AT': 'created-at',
  REASON: 'reason',
}

const example = '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'

/** `vigencia enrollment`: movements, and what operators do with them. */
export const enrollmentCommand: CommandDeclaration = {
  name: 'enrollment',
  description: 'movements and their resolution',
  commands: [
    apiCommand({
      name: 'list',
      description: 'list movements, oldest first (operator)',
      examples: {
        'enrollment list --status created --limit 50': 'the first of the queue',
        'enrollment list --carrier "operadora aurora" --columns id,member-name,due-date': 'three fields of each',
        'enrollment list --status created --ids | vigencia enrollment complete - --yes': 'completes all of them',
      },
      parameters: {
        ...queue,
        ...listParameters,
        '--ids': { description: 'print only their ids, one a line', conflicts: 'json' },
      },
      api: 'operator',
      async run(values, client) {
        const items = await readList(client, 'listEnrollmentQueue', { query: queryOf(values) }, values)
        if (!values.ids) return printList(items, columns, values)
        for (const { id } of items as { id: string }[]) print(id)
      },
    }),
    listOperation({
      name: 'count',
      description: 'count movements by status (operator)',
      examples: { 'enrollment count --carrier "operadora aurora"': 'those of a carrier, in each status' },
      parameters: queueSelection,
      operation: { operator: 'countEnrollments' },
      request: (values) => ({ query: filterOf(values) }),
      columns: { STATUS: 'status', COUNT: 'count' },
    }),
    downloadOperation({
      name: 'export',
      description: 'write the queue as CSV, with everything that a carrier needs (operator)',
      examples: {
        'enrollment export --status created --output queue.csv': 'for a spreadsheet; separated by semicolons',
      },
      parameters: queue,
      operation: { operator: 'exportEnrollmentQueue' },
      isText: true,
      request: (values) => ({ query: queryOf(values) }),
    }),
    operation({
      name: 'show',
      description: 'show a movement with its history; an operator also its data and documents (partner or operator)',
      examples: { [`enrollment show ${example}`]: 'its status, and how it came to it' },
      parameters: { '<enrollment-id>': '' },
      operation: { partner: 'readEnrollment', operator: 'readMovement' },
      isShown: true,
    }),
    listOperation({
      name: 'history',
      description: 'list the movements of your companies, newest first (partner)',
      examples: {
        'enrollment history --member-tax-id 52998224725': 'all movements of a person',
        'enrollment history --status rejected --from 2026-11-01': 'those of this month that were rejected',
      },
      parameters: {
        ...selection,
        '--from <date>': 'made on or after that day',
        '--until <date>': 'made on or before that day',
        '--updated-since <time>': 'what changed at or after that time (UTC)',
      },
      operation: { partner: 'listEnrollmentHistory' },
      request: ({ status, type, companyTaxId, memberTaxId, from, until, updatedSince }) => ({
        query: {
          status,
          'enrollment-type': type,
          'company-tax-id': companyTaxId,
          'member-tax-id': memberTaxId,
          'from-dt': from,
          'until-dt': until,
          'updated-since': updatedSince,
        },
      }),
      columns: historyColumns,
    }),
    ...transitionCommands,
    decideCommand,
    ...enrollmentWorkCommands,
  ],
}
