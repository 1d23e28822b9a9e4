import { ROLES } from '../domain/enums.ts'
import { accountCommands, secretFields, shownOnce, warnOfSameName } from './account.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { listOperation, operation } from './operation.ts'

const accounts = {
  noun: 'operator',
  list: 'listOperators',
  rotate: 'rotateOperatorSecret',
  endFormer: 'endFormerOperatorSecret',
  end: 'removeOperator',
} as const

/** `vigencia operator create`, `list`, `role`, `rotate`, `end-former`, `remove`, `end-sessions`. */
export const operatorCommand: CommandDeclaration = {
  name: 'operator',
  description: 'operators, their roles and their secrets',
  commands: [
    operation({
      name: 'create',
      description: 'make an operator; its secret is shown this once (operator)',
      examples: { 'operator create "Ana Prado" --role analyst': 'reads and resolves movements' },
      parameters: {
        '<name>': 'its name in lists',
        '--role <role>': { description: 'what it may do', choices: ROLES, isRequired: true },
      },
      operation: { operator: 'createOperator' },
      before: ({ name }, client) => warnOfSameName(client, accounts, name),
      request: ({ name, role }) => ({ json: { name, role } }),
      fields: secretFields,
      message: shownOnce,
    }),
    listOperation({
      name: 'list',
      description: 'list operators (operator)',
      examples: { 'operator list --where role=admin': 'those who may do everything' },
      operation: { operator: accounts.list },
      columns: { 'CLIENT-ID': 'client-id', NAME: 'name', ROLE: 'role', 'CREATED-AT': 'created-at' },
    }),
    operation({
      name: 'role',
      description: 'change the role of an operator, at once (operator)',
      examples: {
        'operator role 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --role finance': 'works on invoices from now on',
      },
      parameters: {
        '<client-id>': '',
        '--role <role>': { description: 'what it may do', choices: ROLES, isRequired: true },
      },
      operation: { operator: 'changeOperatorRole' },
      request: ({ clientId, role }) => ({ path: [clientId], json: { role } }),
      isShown: true,
    }),
    ...accountCommands(accounts, 'remove'),
    operation({
      name: 'end-sessions',
      description: 'sign an operator out of all browsers immediately (operator)',
      examples: {
        'operator end-sessions 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'after a rotation, or when a device is lost',
      },
      parameters: { '<client-id>': '' },
      operation: { operator: 'endOperatorSessions' },
      emptyResult: ({ clientId }) => ({ 'client-id': clientId, ended: true }),
      message: ({ clientId }) => `The sessions of operator ${clientId} have ended.`,
    }),
  ],
}
