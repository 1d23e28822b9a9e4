import { searchParameter } from '#platform/http/search-parameter.ts'
import { type Static, Type } from 'typebox'
import { invalidParameter } from '#platform/core/errors.ts'
import { INVOICE_FILE_STATUSES, INVOICE_FILE_TYPES, INVOICE_STATUSES } from '#kernel/enums.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, DateOnly, Name, Named, Nullable, OneOf, Uuid, pageQuery } from '#platform/http/schemas.ts'
import { CompanyTaxId, filters, several } from '#platform/http/filters.ts'

const InvoiceFile = Named(
  'InvoiceFile',
  Type.Object({
    'file-id': Uuid,
    name: Type.String({ examples: ['boleto novembro.pdf'] }),
    type: OneOf(INVOICE_FILE_TYPES),
    'payment-slip-due-date': Nullable({ ...DateOnly, description: 'Null unless the file is a payment slip.' }),
    status: OneOf(INVOICE_FILE_STATUSES, {
      description:
        'A payment slip is `pending`, `paid`, `cancelled` or `overdue` (due before today in Sao Paulo and not paid); any other file is ' +
        '`available`.',
    }),
  }),
)

const Money = Type.Integer({ description: 'Cents.' })

export const Invoice = Named(
  'Invoice',
  Type.Object({
    id: Type.String({ description: 'Up to 100 characters; do not parse it.', examples: ['AURORA-2026-11/0042'] }),
    'company-id': Uuid,
    'invoice-config-id': Uuid,
    'company-name': Type.String(),
    'carrier-name': Type.String(),
    amount: Money,
    'due-date': DateOnly,
    'reference-period-start': DateOnly,
    'reference-period-end': DateOnly,
    'invoice-status': OneOf(INVOICE_STATUSES, {
      description:
        'Derived from the payment slips that are not cancelled: `all-paid`, `all-overdue`, `partially-overdue` (some), `partially-paid` ' +
        '(some), else `all-pending`; `cancelled` when all are cancelled. Without payment slips the due date decides between `all-pending` ' +
        'and `all-overdue`.',
    }),
    files: Type.Array(InvoiceFile, { description: 'In the order of their first upload.' }),
  }),
)

const figures = {
  'carrier-name': 'Operadora Aurora',
  amount: 1_845_090,
  'due-date': '2026-11-10',
  'reference-period-start': '2026-11-01',
  'reference-period-end': '2026-11-30',
}
/** A page of invoices. */
export const InvoiceList = PageOf(Invoice, 'A page of invoices.')

/** A page of invoices with the totals of the whole list. */
export const OperatorInvoiceList = Type.Object(
  {
    ...InvoiceList.properties,
    totals: Named(
      'InvoiceTotals',
      Type.Object(
        {
          count: Type.Integer({ description: 'The number of invoices.' }),
          amount: Type.Integer({ description: 'The sum of their `amount`, in cents.' }),
        },
        { description: 'Of all invoices that the filters select, not of the page alone.' },
      ),
    ),
  },
  {
    description: 'A page of invoices.',
  },
)

/** The path parameter of an invoice. */
export const InvoicePath = Type.Object({
  invoiceId: Type.String({
    description: 'A plain string of up to 100 characters, percent-encoded in the path (a slash as `%2F`).',
    examples: ['AURORA-2026-11/0042'],
  }),
})

/** The invoice id of a path. @throws ApiError 400 when it is not a valid one. */
export function invoiceIdOf(id: string): string {
  const characters = Array.from(id).length
  if (characters < 1 || characters > 100 || /\p{Cc}|\p{Cs}/u.test(id)) throw invalidParameter([], 'Invalid invoice-id')
  return id
}

/** What invoices are listed by, in both APIs. */
export const InvoiceQuery = Closed({
  status: several(
    [...INVOICE_STATUSES, 'open'],
    'Only invoices with this `invoice-status` today; `status=open`: all but all-paid and cancelled.',
  ),
  'company-tax-id': filters.company,
  'from-dt': Type.Optional({ ...DateOnly, description: 'First `due-date`, included.' }),
  'until-dt': Type.Optional({
    ...DateOnly,
    description: 'Last `due-date`, included; the same as `from-dt` asks for one day.',
  }),
  q: searchParameter('the id'),
  ...pageQuery,
})
export type InvoiceFilter = Static<typeof InvoiceQuery>

/** The body of an operator's PUT: an invoice without its files. */
export const InvoiceBody = Closed(
  {
    'company-tax-id': CompanyTaxId,
    'invoice-config-id': Type.Optional({
      ...Uuid,
      description: 'Default: the one stored for the company and carrier.',
    }),
    'carrier-name': Name,
    amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Cents.' }),
    'due-date': DateOnly,
    'reference-period-start': DateOnly,
    'reference-period-end': { ...DateOnly, description: 'Last day, not before the first.' },
  },
  { examples: [{ 'company-tax-id': '12ABC34501DE35', ...figures }] },
)
export type InvoiceInput = Static<typeof InvoiceBody>

/** The columns of the commands that print invoices. */
export const invoiceColumns = {
  ID: 'id',
  STATUS: 'invoice-status',
  COMPANY: 'company-name',
  CARRIER: 'carrier-name',
  'AMOUNT (CENTS)': 'amount',
  'DUE-DATE': 'due-date',
  FILES: 'files[].name',
}
