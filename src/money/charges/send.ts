import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Language, PORTUGUESE, TEXTS, termOf } from '#kernel/texts/texts.ts'
import { acceptedType } from '#platform/http/accepted-type.ts'
import type { Context } from '#platform/http/context.ts'
import type { PageQuery } from '#platform/http/schemas.ts'
import { sendCalculated } from '#platform/http/table-stream.ts'
import { workbook } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { portugueseCell } from '#platform/tables/portuguese.ts'
import type { ForecastContract } from '../forecasts/queries.ts'
import { allCharges, chargeList, type ListedMonth, type ListOptions } from './list.ts'
import { type ChargeItem, ChargeList } from './schema.ts'

const columns = [
  'reference-month',
  'basis',
  'carrier-name',
  'contract-number',
  'sub-contract',
  'line-number',
  'member-name',
  'beneficiary-type',
  'employee-id',
  'product-name',
  'start-date',
  'end-date',
  'last-amount',
  'amount',
  'expected',
  'difference',
  'employee-amount',
  'company-amount',
  'sentence',
] as const
type Column = (typeof columns)[number]

const operatorOnly: readonly Column[] = ['contract-number', 'sub-contract', 'line-number']
const amounts: readonly Column[] = [
  'last-amount',
  'amount',
  'expected',
  'difference',
  'employee-amount',
  'company-amount',
]
const dates: readonly Column[] = ['start-date', 'end-date']

/** What the table says otherwise than the API in general. */
const headings: Readonly<Partial<Record<Column, string>>> = {
  amount: 'Valor cobrado',
  expected: 'Valor devido',
  difference: 'Diferença',
}

function sheetColumns(shown: readonly Column[], language: Language) {
  return shown.map((name) => ({
    header: language === 'pt-BR' ? (headings[name] ?? termOf(name) ?? name) : name,
    isMoney: amounts.includes(name),
    isDate: dates.includes(name),
    isNumber: name === 'line-number',
  }))
}

const valueOf = (name: Column, item: ChargeItem, contract: ForecastContract): string | number | null | undefined => {
  switch (name) {
    case 'carrier-name':
      return contract.carrierName
    case 'contract-number':
      return contract.contractNumber
    case 'sub-contract':
      return contract.subContract
    case 'employee-amount':
      return item.employee.amount
    default:
      return item[name]
  }
}

/** A value in the words and forms of the language. */
function cellOf(name: Column, value: string, language: Language, isWorkbook: boolean): string {
  const { terms } = TEXTS[language]
  if (name === 'basis') return terms.chargeBasis[value as ChargeItem['basis']]
  if (language !== 'pt-BR') return value
  if (name === 'beneficiary-type') return PORTUGUESE.terms.beneficiaryType[value as 'primary' | 'dependent']
  if (name === 'reference-month') return value.split('-').toReversed().join('/')
  if (isWorkbook) return value
  if (amounts.includes(name)) return portugueseCell('money', value)
  return dates.includes(name) ? portugueseCell('date', value) : value
}

/** The response of a list of charges: a page as JSON, or all as a table. */
export const chargeResponse = {
  description:
    'A page. With `Accept: text/csv`, or the media type of XLSX: all that the filters select, a line each, in the words and forms of the language. ' +
    'Amounts in a workbook are numbers in reais, other cells texts, never formulas.',
  content: {
    'application/json': { schema: ChargeList },
    'text/csv': { schema: { type: 'string', examples: ['reference-month;basis;carrier-name;...\r\n'] } },
    [xlsxType]: workbook,
  },
}

/** Sends charges in the media type that `Accept` names. */
export async function sendCharges(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { of, options, query }: { readonly of: ListedMonth; readonly options: ListOptions; readonly query: PageQuery },
): Promise<FastifyReply> {
  const { database } = context
  void reply.header('vary', 'accept, accept-language')
  const type = acceptedType(request.headers.accept, ['application/json', 'text/csv', xlsxType])
  if (type === 'application/json') return reply.send(await chargeList(database, of, options, query))
  const { language, view } = options
  const shown = view === 'operator' ? columns : columns.filter((name) => !operatorOnly.includes(name))
  const name = language === 'pt-BR' ? 'cobrancas' : 'charges'
  return sendCalculated(context, request, reply, {
    name: `${name}-${of.month}`,
    sheet: name,
    columns: sheetColumns(shown, language),
    read: (add, isWorkbook) =>
      allCharges(database, of, options, (contract, items) =>
        add(
          items.map((item) =>
            shown.map((column) => {
              const value = valueOf(column, item, contract)
              return value == null ? null : cellOf(column, String(value), language, isWorkbook)
            }),
          ),
        ),
      ),
  })
}
