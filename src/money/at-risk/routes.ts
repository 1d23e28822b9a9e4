import { Type } from 'typebox'
import type { App, Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { Cents, Closed, errorResponses, Named, Nullable, OneOf } from '#platform/http/schemas.ts'

const GROUPS = ['contract', 'company', 'cut-off-date'] as const

/** SQL: the key of each group, and its name. */
const keys: Readonly<Record<(typeof GROUPS)[number], readonly [key: string, name: string]>> = {
  contract: [
    'movement_money.contract_id::text',
    `min(concat_ws(' ', carrier.name, contract.contract_number, nullif(contract.sub_contract, '')))`,
  ],
  company: ['company.tax_id', 'min(company.name)'],
  'cut-off-date': ['movement_money.cut_off_date::text', 'null::text'],
}

const MoneyGroup = Named(
  'MoneyAtRiskGroup',
  Type.Object({
    key: Type.String({ description: 'The id of the contract, the CNPJ of the company, or the day.' }),
    name: Nullable(Type.String()),
    count: Type.Integer({ description: 'Open inclusions and exclusions.' }),
    'charged-beyond-end': Cents('What invoices charged beyond the ends.'),
    'if-missed': Cents('What the invoices of the next cut-off charge if they are missed.'),
    lost: Cents('What carriers do not credit any more.'),
    'lost-if-missed': Cents('What they do not credit beyond that if the next cut-off is missed.'),
  }),
)

/** `/operator/v1/money-at-risk`. */
export async function moneyAtRiskRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/money-at-risk',
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'listMoneyAtRisk',
      'x-sdk': 'enrollments.moneyAtRisk',
      'x-cli': {
        command: 'enrollment money-at-risk',
        columns: { KEY: 'key', NAME: 'name', COUNT: 'count', 'IF-MISSED': 'if-missed' },
      },
      summary: 'List what open movements cost when they miss the next cut-off',
      description:
        'Of open inclusions and exclusions under contracts with a calendar, as the workers calculated it last: each minute for what is new or changed, and on each day. ' +
        'The largest loss first.',
      querystring: Closed({ 'group-by': OneOf(GROUPS, { default: 'contract', description: 'By what it is summed.' }) }),
      response: { 200: Type.Object({ result: Type.Array(MoneyGroup) }), ...errorResponses() },
    },
    handler: async ({ query }) => {
      const [key, name] = keys[query['group-by']]
      const sum = (column: string) => `coalesce(sum(movement_money.${column}), 0)::bigint`
      const result = await database.query(
        `select ${key} as key, ${name} as name, count(*)::integer as count, ${sum('charged_beyond_end')} as "charged-beyond-end",
           ${sum('if_missed')} as "if-missed", ${sum('lost')} as lost, ${sum('lost_if_missed')} as "lost-if-missed"
         from movement_money
         join open_movement on open_movement.company_id = movement_money.company_id and open_movement.id = movement_money.enrollment_id
         join contract on contract.company_id = movement_money.company_id and contract.id = movement_money.contract_id
         join company on company.id = movement_money.company_id
         join carrier on carrier.id = contract.carrier_id
         group by 1 order by 7 desc, 5 desc, 1`,
      )
      return { result: result as never }
    },
  })
}
