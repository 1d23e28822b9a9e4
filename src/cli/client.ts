import { pathOf } from './api-client.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { listOperation, operation } from './operation.ts'

const secretFields = ['client-id', 'client-secret']
const shownOnce = () => 'The secret is shown this once.'

/** `vigencia client create`, `list`, `rotate`, `revoke`. */
export const clientCommand: CommandDeclaration = {
  name: 'client',
  description: 'clients of partners and their secrets',
  commands: [
    operation({
      name: 'create',
      description: 'make a client of a partner; its secret is shown this once (operator)',
      examples: { 'client create "Folha Aurora" --company 12ABC34501DE35': 'entitled to one company' },
      parameters: { '<name>': 'its name in lists', '--company <cnpj...>': 'companies it may access' },
      api: 'operator',
      request: ({ name, company = [] }) => ({
        method: 'POST',
        path: '/operator/v1/client',
        body: { name, 'company-tax-ids': company },
      }),
      fields: secretFields,
      message: shownOnce,
    }),
    listOperation({
      name: 'list',
      description: 'list clients that are not revoked (operator)',
      examples: { 'client list': 'never their secrets' },
      api: 'operator',
      request: () => ({ path: '/operator/v1/client' }),
      columns: { 'CLIENT-ID': 'client-id', NAME: 'name', COMPANIES: 'company-tax-ids', 'CREATED-AT': 'created-at' },
    }),
    operation({
      name: 'rotate',
      description: 'give a client a second secret; of two, the older ends (operator)',
      examples: { 'client rotate 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'the present one stays valid' },
      parameters: { '<client-id>': '' },
      api: 'operator',
      request: ({ clientId }) => ({ method: 'POST', path: pathOf`/operator/v1/client/${clientId}/rotate-secret` }),
      fields: secretFields,
      message: shownOnce,
    }),
    operation({
      name: 'revoke',
      description: 'revoke a client and its tokens immediately (operator)',
      examples: { 'client revoke 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'cannot be undone' },
      parameters: { '<client-id>': '' },
      api: 'operator',
      request: ({ clientId }) => ({ method: 'DELETE', path: pathOf`/operator/v1/client/${clientId}` }),
      emptyResult: ({ clientId }) => ({ 'client-id': clientId, revoked: true }),
      message: ({ clientId }) => `Client ${clientId} is revoked.`,
    }),
  ],
}
