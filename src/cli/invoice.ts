import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { INVOICE_FILE_TYPES, INVOICE_STATUSES } from '../domain/invoice.ts'
import type { ApiClient } from './api-client.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { openFile, parseObject, readInput } from './json-file.ts'
import { listOperation, operation } from './operation.ts'
import { downloadOperation } from './save.ts'

const columns = {
  ID: 'id',
  STATUS: 'invoice-status',
  COMPANY: 'company-name',
  CARRIER: 'carrier-name',
  'AMOUNT (CENTS)': 'amount',
  'DUE-DATE': 'due-date',
  FILES: ({ files = [] }: { files?: readonly { name: string }[] }) => files.map(({ name }) => name).join(', '),
}

const dates = { '--from <date>': 'due on or after that day', '--until <date>': 'due on or before that day' } as const

const reading = [
  listOperation({
    name: 'list',
    description: 'list invoices (partner or operator)',
    examples: {
      'invoice list --status all-overdue': 'those that are overdue',
      'invoice list --from 2026-11-01 --until 2026-11-30 --columns id,amount,due-date': 'those due in a month',
    },
    parameters: {
      '--status <status>': { description: 'only with this status', choices: INVOICE_STATUSES },
      '--company-tax-id <cnpj>': 'only of this company',
      ...dates,
    },
    operation: { partner: 'listInvoices', operator: 'listAllInvoices' },
    request: ({ status, companyTaxId, from, until }) => ({
      query: { status, 'company-tax-id': companyTaxId, 'from-dt': from, 'until-dt': until },
    }),
    columns,
  }),
  listOperation({
    name: 'pending',
    description: 'list invoices with something left to pay (partner)',
    examples: { 'invoice pending': 'pending and overdue ones, by due date' },
    parameters: dates,
    operation: { partner: 'listPendingInvoices' },
    request: ({ from, until }) => ({ query: { 'from-dt': from, 'until-dt': until } }),
    columns,
  }),
  operation({
    name: 'show',
    description: 'show an invoice with its files (partner or operator)',
    examples: { 'invoice show demo-invoice-1': 'the ids of its files too' },
    parameters: { '<invoice-id>': '' },
    operation: { partner: 'readInvoice', operator: 'readAnyInvoice' },
    isShown: true,
  }),
  downloadOperation({
    name: 'download',
    description: 'write the files of an invoice as a ZIP, or one of them (partner or operator)',
    examples: { 'invoice download demo-invoice-1 --output invoice.zip': 'all its files' },
    parameters: { '<invoice-id>': '', '--file-id <uuid>': 'only this file' },
    operation: { partner: 'downloadInvoice', operator: 'downloadAnyInvoice' },
    request: ({ fileId }) => ({ query: { 'file-id': fileId } }),
  }),
]

const look = async ({ invoiceId }: { invoiceId: string }, client: ApiClient): Promise<object> => {
  const { result } = await client.sdk.operations.request('readAnyInvoice', { path: [invoiceId] })
  return result
}

const fileParameters = { '<invoice-id>': '', '<file-id>': 'from invoice show' } as const
const fileId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

const writing = [
  operation({
    name: 'put',
    description: 'create or replace an invoice; its files stay (operator)',
    examples: { 'invoice put 2026-11-0042 invoice.json': 'the file is the body of PUT /operator/v1/invoice' },
    parameters: { '<invoice-id>': 'an id of your choice', '<file>': 'JSON; `-` reads standard input' },
    operation: { operator: 'putInvoice' },
    request: async ({ file }) => ({ json: parseObject(file, await readInput(file)) }),
    columns,
  }),
  operation({
    name: 'attach',
    description: 'add a file to an invoice, or replace one (operator)',
    examples: {
      'invoice attach 2026-11-0042 boleto.pdf --type payment-slip --payment-slip-due-date 2026-12-10':
        'a payment slip, which is pending then',
    },
    parameters: {
      '<invoice-id>': '',
      '<file>': '',
      '--type <type>': { description: 'what it is', choices: INVOICE_FILE_TYPES, isRequired: true },
      '--payment-slip-due-date <date>': 'of a payment slip',
      '--name <name>': 'its name for partners, when it is not that of the file',
      '--file-id <uuid>': 'replace this file',
    },
    operation: { operator: 'putInvoiceFile' },
    request: async ({ invoiceId, file, type, paymentSlipDueDate, name, fileId: id }) => ({
      path: [invoiceId, id ?? randomUUID()],
      query: { name: name ?? basename(file), type, 'payment-slip-due-date': paymentSlipDueDate },
      raw: {
        bytes: await openFile(file),
        type: /\.pdf$/i.test(file) ? 'application/pdf' : 'application/octet-stream',
        isRepeatable: true,
      },
    }),
    columns,
  }),
  operation({
    name: 'mark',
    description: 'set the status of a payment slip (operator)',
    examples: { [`invoice mark 2026-11-0042 ${fileId} --status paid`]: 'the invoice follows' },
    parameters: {
      ...fileParameters,
      '--status <status>': { description: 'its status', choices: ['pending', 'paid', 'cancelled'], isRequired: true },
    },
    operation: { operator: 'markInvoiceFile' },
    request: ({ status }) => ({ json: { status } }),
    columns,
  }),
  operation({
    name: 'delete',
    description: 'delete an invoice with its files, unless something is paid (operator)',
    examples: { 'invoice delete 2026-11-0042 --dry-run': 'shows it' },
    parameters: { '<invoice-id>': '' },
    operation: { operator: 'deleteInvoice' },
    irreversible: {
      sentence: ({ invoiceId }) => `Invoice ${invoiceId} and its files would be deleted, which cannot be undone.`,
      look,
    },
    emptyResult: ({ invoiceId }) => ({ id: invoiceId, deleted: true }),
    message: ({ invoiceId }) => `Invoice ${invoiceId} is deleted.`,
  }),
  operation({
    name: 'detach',
    description: 'delete a file of an invoice, unless something is paid (operator)',
    examples: { [`invoice detach 2026-11-0042 ${fileId}`]: 'asks in a terminal' },
    parameters: fileParameters,
    operation: { operator: 'deleteInvoiceFile' },
    irreversible: {
      sentence: (values) =>
        `File ${values.fileId} of invoice ${values.invoiceId} would be deleted, which cannot be undone.`,
      look,
    },
    emptyResult: ({ invoiceId, fileId: id }) => ({ id: invoiceId, 'file-id': id, deleted: true }),
    message: ({ fileId: id }) => `File ${id} is deleted.`,
  }),
]

/** `vigencia invoice`: what partners read, and what operators write. */
export const invoiceCommand: CommandDeclaration = {
  name: 'invoice',
  description: 'invoices and their files',
  commands: [...reading, ...writing],
}
