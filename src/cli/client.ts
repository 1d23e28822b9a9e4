import type { Command } from 'commander'
import { type CommandOptions, apiCommand, group } from './command-builder.ts'
import { everyItem, openApiClient, pathOf } from './api-client.ts'
import { print, printJson, printTable, printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface Client {
  readonly 'client-id': string
  readonly name: string
  readonly 'company-tax-ids': readonly string[]
  readonly 'created-at': string
}

interface Secret {
  readonly 'client-id': string
  readonly 'client-secret': string
}

/** `vigencia client create`, `list`, `rotate`, `revoke`. */
export function clientCommand(context: CommandContext): Command {
  const create = apiCommand('create', 'make a client of a partner; its secret is shown this once (operator)', [
    ['client create "Folha Aurora" --company 12ABC34501DE35', 'entitled to one company'],
  ])
    .argument('<name>', 'its name in lists')
    .option('--company <cnpj...>', 'companies it may access')
    .action(async (name: string, options: CommandOptions & { company?: string[] }) => {
      const body = { name, 'company-tax-ids': options.company ?? [] }
      showSecret(
        context,
        options,
        await openApiClient(context, 'operator', options).call<Secret>('POST', '/operator/v1/client', { body }),
      )
    })
  const list = apiCommand('list', 'list clients that are not revoked (operator)', [
    ['client list', 'never their secrets'],
  ]).action((options: CommandOptions) => listClients(context, options))
  const rotate = apiCommand('rotate', 'give a client a second secret; of two, the older ends (operator)', [
    ['client rotate 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'the present one stays valid'],
  ])
    .argument('<client-id>')
    .action(async (id: string, options: CommandOptions) => {
      const path = pathOf`/operator/v1/client/${id}/rotate-secret`
      showSecret(context, options, await openApiClient(context, 'operator', options).call<Secret>('POST', path))
    })
  const revoke = apiCommand('revoke', 'revoke a client and its tokens immediately (operator)', [
    ['client revoke 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'cannot be undone'],
  ])
    .argument('<client-id>')
    .action(async (id: string, options: CommandOptions) => {
      await openApiClient(context, 'operator', options).call('DELETE', pathOf`/operator/v1/client/${id}`)
      if (options.json) printJson(context, { 'client-id': id, revoked: true })
      else printMessage(context, `Client ${id} is revoked.`)
    })
  return group('client', 'clients of partners and their secrets', [create, list, rotate, revoke])
}

function showSecret(context: CommandContext, options: CommandOptions, made: Secret): void {
  if (options.json) return printJson(context, made)
  print(context, `client-id      ${made['client-id']}\nclient-secret  ${made['client-secret']}`)
  printMessage(context, 'The secret is shown this once.')
}

async function listClients(context: CommandContext, options: CommandOptions): Promise<void> {
  const clients = await Array.fromAsync(
    everyItem<Client>(openApiClient(context, 'operator', options), '/operator/v1/client'),
  )
  if (options.json) return printJson(context, { result: clients })
  const rows = clients.map((one) => [one['client-id'], one.name, one['company-tax-ids'].join(' '), one['created-at']])
  printTable(context, ['CLIENT-ID', 'NAME', 'COMPANIES', 'CREATED-AT'], rows)
}
