import type { CommandDeclaration } from './command-builder.ts'
import { confirmDates } from './confirm.ts'
import { listOperation, operationCommand } from './operation.ts'
import { printJson, printObject } from './terminal.ts'

const columns = {
  'BENEFIT-ID': 'benefit-id',
  STATUS: 'status',
  'MEMBER-TAX-ID': 'member-tax-id',
  TYPE: 'type',
  'COMPANY-TAX-ID': 'company-tax-id',
  PRODUCT: 'product-name',
  CARRIER: 'carrier-name',
  'START-DATE': 'start-date',
  'END-DATE': 'end-date',
}

/** `vigencia benefit list` and `end`. */
export const benefitCommand: CommandDeclaration = {
  name: 'benefit',
  description: 'benefits of members',
  commands: [
    listOperation({
      name: 'list',
      description: 'list benefits (partner or operator)',
      examples: {
        'benefit list --member-tax-id 52998224725 --include-inactive': 'all that a person has, or had',
        'benefit list --where carrier-name="operadora aurora" --limit 20': 'twenty of a carrier',
      },
      parameters: {
        '--company-tax-id <cnpj>': 'only of this company',
        '--member-tax-id <cpf>': 'only of this member',
        '--include-inactive': 'former and future ones too',
        '--updated-since <time>': 'partner: what changed at or after that time (UTC)',
      },
      operation: { partner: 'listBenefits', operator: 'listAllBenefits' },
      request: ({ companyTaxId, memberTaxId, includeInactive, updatedSince }) => ({
        query: {
          'company-tax-id': companyTaxId,
          'member-tax-id': memberTaxId,
          'include-inactive': includeInactive,
          'updated-since': updatedSince,
        },
      }),
      columns,
    }),
    operationCommand(
      {
        name: 'end',
        description: 'end a benefit that an extension plan kept (operator)',
        examples: {
          'benefit end 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --end-date 2026-11-30 --reason "Legal term ended"':
            'and those of its dependents',
        },
        parameters: {
          '<benefit-id>': '',
          '--end-date <date>': { description: 'the last day covered', isRequired: true },
          '--reason <text>': { description: 'why', isRequired: true },
          '--yes': 'a date more than two years from today is meant',
        },
        operation: { operator: 'endBenefit' },
      },
      async ({ benefitId, endDate, reason, yes, json }, client) => {
        const body = await confirmDates(client, yes, (confirm) =>
          client.sdk.operations.request('endBenefit', {
            path: [benefitId],
            json: { 'end-date': endDate, reason, confirm },
          }),
        )
        if (json) printJson(body)
        else printObject(body.result)
      },
    ),
  ],
}
