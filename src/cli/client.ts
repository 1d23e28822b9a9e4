import { accountCommands, secretFields, shownOnce, warnOfSameName } from './account.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { listOperation, operation } from './operation.ts'

const accounts = {
  noun: 'client',
  list: 'listClients',
  rotate: 'rotateClientSecret',
  endFormer: 'endFormerClientSecret',
  end: 'revokeClient',
} as const

/** `vigencia client create`, `list`, `rotate`, `end-former`, `revoke`, `rotate-own`. */
export const clientCommand: CommandDeclaration = {
  name: 'client',
  description: 'clients of partners and their secrets',
  commands: [
    operation({
      name: 'create',
      description: 'make a client of a partner; its secret is shown this once (operator)',
      examples: { 'client create "Folha Aurora" --company 12ABC34501DE35': 'entitled to one company' },
      parameters: { '<name>': 'its name in lists', '--company <cnpj...>': 'companies it may access' },
      operation: { operator: 'createClient' },
      before: ({ name }, client) => warnOfSameName(client, accounts, name),
      request: ({ name, company = [] }) => ({ json: { name, 'company-tax-ids': company } }),
      fields: secretFields,
      message: shownOnce,
    }),
    listOperation({
      name: 'list',
      description: 'list clients that are not revoked (operator)',
      examples: {
        'client list': 'never their secrets',
        'client list --where name="folha aurora" --columns client-id': 'the ids of those with that name',
      },
      operation: { operator: accounts.list },
      columns: { 'CLIENT-ID': 'client-id', NAME: 'name', COMPANIES: 'company-tax-ids', 'CREATED-AT': 'created-at' },
    }),
    ...accountCommands(accounts, 'revoke'),
    operation({
      name: 'rotate-own',
      description: 'give your own client a new secret; the present one is valid for another 24 hours (partner)',
      examples: { 'client rotate-own': 'then, with the new secret: vigencia login' },
      parameters: {},
      operation: { partner: 'rotateSecret' },
      isShown: true,
      message: () => 'The secret is shown this once. Save it with: vigencia login',
    }),
  ],
}
