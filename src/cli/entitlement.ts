import type { CommandDeclaration } from './command-builder.ts'
import { operation } from './operation.ts'

const parameters = { '<client-id>': '', '<company-tax-id>': 'CNPJ of the company, formatted or not' } as const

/** `vigencia entitlement grant` and `revoke`. */
export const entitlementCommand: CommandDeclaration = {
  name: 'entitlement',
  description: 'which companies a client may access',
  commands: [
    operation({
      name: 'grant',
      description: 'let a client access a company (operator)',
      examples: { 'entitlement grant demo-partner 7B4XK2M9000194': 'works at its next call' },
      parameters,
      operation: { operator: 'grantCompany' },
      message: ({ clientId, companyTaxId }) => `${clientId} may access ${companyTaxId}.`,
    }),
    operation({
      name: 'revoke',
      description: 'end the access of a client to a company (operator)',
      examples: { 'entitlement revoke demo-partner 7B4XK2M9000194': 'its movements in progress continue' },
      parameters,
      operation: { operator: 'revokeCompany' },
      emptyResult: ({ clientId, companyTaxId }) => ({
        'client-id': clientId,
        'company-tax-id': companyTaxId,
        revoked: true,
      }),
      message: ({ clientId, companyTaxId }) => `${clientId} may no longer access ${companyTaxId}.`,
    }),
  ],
}
