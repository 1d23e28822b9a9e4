import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { TAX_FIGURE_BASES } from '#kernel/broker-enums.ts'
import type { Actor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import { acceptedType } from '#platform/http/accepted-type.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendHeaders } from '#platform/http/download.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { endUnread } from '#platform/http/limits/end-transfer.ts'
import { route } from '#platform/http/route.ts'
import { Cents, Closed, Cnpj, Cpf, errorResponses, Named, Nullable, OneOf, Text } from '#platform/http/schemas.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { TAX_FIGURE_ERRORS } from '../rules/tax-figures.ts'
import { figuresHead, figuresJson, figuresLines, readTaxFigures, type TaxFigures } from './tax-figures.ts'

/** What an employer declares of an employee and month. */
const TaxFiguresItem = Named(
  'TaxFigures',
  Type.Object({
    'reference-month': Month,
    'tax-id': Cpf,
    'employee-id': Nullable(Text),
    declaration: OneOf(['s-1210', 'r-4010'], {
      description: '`r-4010`: of people without employment, by their `work-contract-type`.',
    }),
    plans: Type.Array(
      Type.Object({
        'carrier-tax-id': Nullable(Cnpj),
        'ans-registration': Nullable(Type.String({ description: 'Of the carrier at the ANS, 6 digits.' })),
        amount: Cents('What the employee pays for the own cover.'),
        dependents: Type.Array(Type.Object({ 'tax-id': Nullable(Cpf), amount: Cents('More than zero.') })),
        errors: Type.Array(OneOf(TAX_FIGURE_ERRORS), { description: 'What is missing for the declaration.' }),
      }),
    ),
    deducted: Cents('Nature 9219: what the employee pays.'),
    'whole-cost': Cents('Nature 9911: all that the carriers charge for the month, whoever pays.'),
    'tax-figures-by': OneOf(TAX_FIGURE_BASES, {
      description:
        'Whether the amounts are what was charged for the month, or what its payroll deducted, by the payroll profile of the company. Of who is not ' +
        'on the payroll: what was charged.',
    }),
    'differing-months': Type.Array(Month, {
      description:
        'The months of the year in which what was charged for the employee is not what was deducted, while the profile says neither.',
    }),
  }),
)

/** `/operator/v1/company/{company-tax-id}/tax-figure`. */
export async function taxFigureRoutes(app: App, context: Context): Promise<void> {
  const { database, streams } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/company/:companyTaxId/tax-figure',
    api: 'operator',
    roles: ['finance'],
    schema: {
      operationId: 'listTaxFigures',
      'x-sdk': 'costs.taxFigures',
      'x-cli': {
        command: 'company tax-figures',
        examples: {
          'company tax-figures 12ABC34501DE35 --year 2026 --output figures.csv': 'for the payroll of the company',
        },
      },
      summary: 'Read what a company declares of its health plans in a year',
      description:
        'The figures of eSocial S-1210 (`planSaude`) and EFD-Reinf R-4010 by employee, month, carrier and dependent: what the employee was charged, ' +
        'co-participation included. From the first month of a payroll by effective date its profile says whether it is what was charged or what was ' +
        'deducted. Employees who pay nothing are absent. `deducted` is nature 9219, `whole-cost` nature 9911. Of several ' +
        'registrations at the ANS of a carrier that with the highest amount counts. No XML: payroll sends it. CSV with Brazilian forms, or NDJSON by `Accept`. A ' +
        'response that breaks off is not the whole year. Each download is audited.',
      params: CompanyPath,
      querystring: Closed({
        year: Type.Integer({ minimum: 2000, maximum: 2100, description: 'A calendar year.', examples: [2026] }),
      }),
      response: {
        200: {
          description: 'Month by month, by the employees’ CPFs.',
          content: {
            'text/csv': { schema: { type: 'string', examples: ['Competência;CPF do titular;Matrícula;...\r\n'] } },
            'application/x-ndjson': { schema: TaxFiguresItem },
          },
        },
        ...errorResponses('company-not-found'),
      },
    },
    handler: async (request, reply) => {
      const companyId = await auditTaxFigures(context, callerOf(request), request.params.companyTaxId)
      const type = acceptedType(request.headers.accept, ['text/csv', 'application/x-ndjson'])
      const { year } = request.query
      const name = `informe-${request.params.companyTaxId}-${year}.${type === 'text/csv' ? 'csv' : 'ndjson'}`
      void reply.header('content-disposition', `attachment; filename="${name}"`).type(`${type}; charset=utf-8`)
      if (request.method === 'HEAD') return sendHeaders(reply)
      const permit = await streams.acquire(callerOf(request).clientId, { end: () => endUnread(reply.raw) })
      const chunks = textOf(readTaxFigures(database, companyId, year), type)
      return reply.send(Readable.from(chunks).once('close', () => permit.release()))
    },
  })
}

async function* textOf(
  figures: AsyncIterable<TaxFigures>,
  type: 'text/csv' | 'application/x-ndjson',
): AsyncGenerator<string> {
  if (type === 'text/csv') yield figuresHead
  for await (const figure of figures) {
    yield type === 'text/csv' ? figuresLines(figure) : `${JSON.stringify(figuresJson(figure))}\n`
  }
}

/** Audits a download of declared figures. @returns the company. @throws ApiError 404. */
async function auditTaxFigures(context: Context, actor: Actor, taxId: string): Promise<string> {
  return write(context, actor, { may: ['finance'] }, async (tx) => {
    const companyId = await requireCompany(tx, taxId)
    tx.audit({ action: 'tax-figures.downloaded', target: taxId, companyId })
    return companyId
  })
}
