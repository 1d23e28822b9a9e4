import type { Command } from 'commander'
import { type Asked, calling, cnpj, group } from './command-builder.ts'
import { everyItem, openDoor, pathOf } from './api-client.ts'
import { print, printJson, printTable, tell } from './terminal.ts'
import type { World } from './context.ts'

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
export function clientCommand(world: World): Command {
  const create = calling('create', 'make a client of a partner; its secret is shown this once (operator)', [
    ['client create "Folha Aurora" --company 12ABC34501DE35', 'entitled to one company'],
  ])
    .argument('<name>', 'what it is called in lists')
    .option('--company <cnpj...>', 'companies it may access')
    .action(async (name: string, asked: Asked & { company?: string[] }) => {
      const body = { name, 'company-tax-ids': asked.company ?? [] }
      showSecret(
        world,
        asked,
        await openDoor(world, 'operator', asked).call<Secret>('POST', '/operator/v1/client', { body }),
      )
    })
  const list = calling('list', 'list clients that are not revoked (operator)', [
    ['client list', 'never their secrets'],
  ]).action((asked: Asked) => listClients(world, asked))
  const rotate = calling('rotate', 'give a client a second secret; of two, the older ends (operator)', [
    ['client rotate 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'the present one lives on beside it'],
  ])
    .argument('<client-id>')
    .action(async (id: string, asked: Asked) => {
      const path = pathOf`/operator/v1/client/${id}/rotate-secret`
      showSecret(world, asked, await openDoor(world, 'operator', asked).call<Secret>('POST', path))
    })
  const revoke = calling('revoke', 'revoke a client at once, living tokens included (operator)', [
    ['client revoke 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'there is no way back'],
  ])
    .argument('<client-id>')
    .action(async (id: string, asked: Asked) => {
      await openDoor(world, 'operator', asked).call('DELETE', pathOf`/operator/v1/client/${id}`)
      if (asked.json) printJson(world, { 'client-id': id, revoked: true })
      else tell(world, `Client ${id} is revoked.`)
    })
  return group('client', 'clients of partners and their secrets', [create, list, rotate, revoke])
}

function showSecret(world: World, asked: Asked, made: Secret): void {
  if (asked.json) return printJson(world, made)
  print(world, `client-id      ${made['client-id']}\nclient-secret  ${made['client-secret']}`)
  tell(world, 'The secret is shown this once.')
}

async function listClients(world: World, asked: Asked): Promise<void> {
  const clients = await Array.fromAsync(everyItem<Client>(openDoor(world, 'operator', asked), '/operator/v1/client'))
  if (asked.json) return printJson(world, { result: clients })
  const rows = clients.map((one) => [one['client-id'], one.name, one['company-tax-ids'].join(' '), one['created-at']])
  printTable(world, ['CLIENT-ID', 'NAME', 'COMPANIES', 'CREATED-AT'], rows)
}

/** `vigencia entitlement grant` and `revoke`. */
export function entitlementCommand(world: World): Command {
  const change = (name: string, method: string, says: string, done: string, example: string) =>
    calling(name, says, [[`entitlement ${name} demo-partner 7B4XK2M9000194`, example]])
      .argument('<client-id>')
      .addArgument(cnpj())
      .action(async (id: string, taxId: string, asked: Asked) => {
        const path = pathOf`/operator/v1/client/${id}/company/${taxId}`
        const answer = await openDoor(world, 'operator', asked).call<object | null>(method, path)
        if (asked.json) printJson(world, answer ?? { 'client-id': id, 'company-tax-id': taxId, [done]: true })
        else tell(world, `${id} ${done === 'granted' ? 'may' : 'may no longer'} access ${taxId}.`)
      })
  return group('entitlement', 'which companies a client may access', [
    change('grant', 'PUT', 'let a client access a company (operator)', 'granted', 'works at its next call'),
    change('revoke', 'DELETE', 'end that (operator)', 'revoked', 'its movements under way go on'),
  ])
}
