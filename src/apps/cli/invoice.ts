import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { INVOICE_FILE_TYPES } from '#kernel/enums.ts'
import { openFile } from './json-file.ts'
import { columnsOf } from './operation-commands.ts'
import { apiCommand } from './operation.ts'
import { printItems, printJson } from './terminal.ts'

/** `vigencia invoice attach`. */
export const invoiceAttachCommand = apiCommand({
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
  api: 'operator',
  async run({ invoiceId, file, type, paymentSlipDueDate, name, fileId, json }, client) {
    const body = await client.sdk.operations.request('putInvoiceFile', {
      path: [invoiceId, fileId ?? randomUUID()],
      query: { name: name ?? basename(file), type, 'payment-slip-due-date': paymentSlipDueDate },
      raw: {
        bytes: await openFile(file),
        type: /\.pdf$/i.test(file) ? 'application/pdf' : 'application/octet-stream',
        isRepeatable: true,
      },
    })
    if (json) printJson(body)
    else printItems([body.result], columnsOf('invoice put'))
  },
})
