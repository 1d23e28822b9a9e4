import { productNameKey } from '../domain/product-name.ts'
import type { ApiClient } from './api-client.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { operation } from './operation.ts'
import { oneLine, printMessage } from './terminal.ts'

/** What clients of partners and operators have in common. */
interface Accounts {
  readonly noun: 'client' | 'operator'
  /** The operations. */
  readonly list: 'listClients' | 'listOperators'
  readonly rotate: 'rotateClientSecret' | 'rotateOperatorSecret'
  readonly endFormer: 'endFormerClientSecret' | 'endFormerOperatorSecret'
  readonly end: 'revokeClient' | 'removeOperator'
}

/** The properties of a response with a new secret. */
export const secretFields = ['client-id', 'client-secret']
export const shownOnce = () => 'The secret is shown this once.'

/** Says on standard error that another account has this name. */
export async function warnOfSameName(client: ApiClient, { noun, list }: Accounts, name: string): Promise<void> {
  const key = productNameKey(name)
  for await (const other of client.sdk.operations.list(list)) {
    if (productNameKey(other.name) !== key) continue
    printMessage(`warning: ${noun} ${other['client-id']} has the name ${oneLine(other.name)} too; this is another one.`)
  }
}

/** `rotate`, `end-former`, and `revoke` or `remove`. */
export function accountCommands(accounts: Accounts, end: 'revoke' | 'remove'): CommandDeclaration[] {
  const { noun, list } = accounts
  const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
  const ended = end === 'revoke' ? 'revoked' : 'removed'
  return [
    operation({
      name: 'rotate',
      description: `give ${noun === 'client' ? 'a client' : 'an operator'} a second secret; of two, the older ends (operator)`,
      examples: { [`${noun} rotate ${id}`]: 'the present one stays valid until the next rotation' },
      parameters: { '<client-id>': '' },
      operation: { operator: accounts.rotate },
      fields: secretFields,
      message: ({ clientId }) =>
        `${shownOnce()} The secret before it works until the next rotation, or until: vigencia ${noun} end-former ${clientId}`,
    }),
    operation({
      name: 'end-former',
      description: `end the older of two secrets of ${noun === 'client' ? 'a client' : 'an operator'} (operator)`,
      examples: { [`${noun} end-former ${id}`]: 'after a rotation, once the new secret is in use' },
      parameters: { '<client-id>': '' },
      operation: { operator: accounts.endFormer },
      emptyResult: ({ clientId }) => ({ 'client-id': clientId, 'former-secret-ended': true }),
      message: ({ clientId }) => `Only the newest secret of ${clientId} is valid.`,
    }),
    operation({
      name: end,
      description: `${end} ${noun === 'client' ? 'a client' : 'an operator'} and its tokens immediately (operator)`,
      examples: {
        [`${noun} ${end} ${id} --dry-run`]: 'shows whose access would end',
        [`${noun} ${end} ${id} --yes`]: 'cannot be undone; in a terminal it asks without --yes',
      },
      parameters: { '<client-id>': '' },
      operation: { operator: accounts.end },
      irreversible: {
        sentence: ({ clientId }) =>
          `${clientId} would be ${ended}: its tokens end immediately, which cannot be undone.`,
        async look({ clientId }, client) {
          for await (const one of client.sdk.operations.list(list)) if (one['client-id'] === clientId) return one
          throw new CommandError('refused', `There is no ${noun} ${oneLine(clientId)}.`, `vigencia ${noun} list`)
        },
      },
      emptyResult: ({ clientId }) => ({ 'client-id': clientId, [ended]: true }),
      message: ({ clientId }) => `${noun === 'client' ? 'Client' : 'Operator'} ${clientId} is ${ended}.`,
    }),
  ]
}
