import type { Command } from 'commander'
import { openApiClient, pathOf } from './api-client.ts'
import { type CommandOptions, apiCommand, companyTaxIdArgument, group } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { printJson, printMessage } from './terminal.ts'

/** `vigencia entitlement grant` and `revoke`. */
export function entitlementCommand(context: CommandContext): Command {
  const change = (name: string, method: string, message: string, done: string, example: string) =>
    apiCommand(name, message, [[`entitlement ${name} demo-partner 7B4XK2M9000194`, example]])
      .argument('<client-id>')
      .addArgument(companyTaxIdArgument())
      .action(async (id: string, taxId: string, options: CommandOptions) => {
        const path = pathOf`/operator/v1/client/${id}/company/${taxId}`
        const response = await openApiClient(context, 'operator', options).call<object | null>(method, path)
        if (options.json) printJson(context, response ?? { 'client-id': id, 'company-tax-id': taxId, [done]: true })
        else printMessage(context, `${id} ${done === 'granted' ? 'may' : 'may no longer'} access ${taxId}.`)
      })
  return group('entitlement', 'which companies a client may access', [
    change('grant', 'PUT', 'let a client access a company (operator)', 'granted', 'works at its next call'),
    change(
      'revoke',
      'DELETE',
      'end the access of a client to a company (operator)',
      'revoked',
      'its movements in progress continue',
    ),
  ])
}
