import { basename } from 'node:path'
import { CARRIER_FILE_KINDS, INVOICE_KINDS } from '#kernel/reconciliation.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { CommandError } from './errors.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { columnsOf } from './operation-commands.ts'
import { isWorkbook } from './table-file.ts'
import { say } from './language.ts'
import { printItems, printJson } from './terminal.ts'

const id = '01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01'

/** `vigencia carrier-file upload`. */
export const carrierFileUploadCommand = apiCommand({
  name: 'upload',
  description: 'send a roster, an invoice or a co-participation of a carrier, which the workers read (operator)',
  examples: {
    [`carrier-file upload ${id} cadastro.csv --kind roster --reference-month 2026-11`]: 'by the layout of the contract',
    [`carrier-file upload ${id} FM1126.TXT --kind invoice --reference-month 2026-11 --layout-id bradesco-invoice`]:
      'by a built-in layout',
  },
  parameters: {
    '<contract-id>': 'from the list of contracts',
    '<file>': 'CSV, XLSX, NDJSON, or text of fixed width; `-` reads standard input',
    '--kind <kind>': { description: 'what it is', choices: CARRIER_FILE_KINDS, isRequired: true },
    '--reference-month <month>': { description: 'the month that it is for, as 2026-11', isRequired: true },
    '--invoice-kind <kind>': {
      description: 'of an invoice: a supplementary one adds to the main one of its month; main unless named',
      choices: INVOICE_KINDS,
    },
    '--layout-id <id>': 'the layout, when it is not that of the contract',
  },
  api: 'operator',
  async run({ contractId, file, kind, referenceMonth, invoiceKind, layoutId, json }, client) {
    const bytes = await readInput(file)
    if (bytes.length === 0) throw new CommandError('usage', say`${file} is empty.`)
    const result = await client.sdk.carrierFiles.upload(bytes, {
      'contract-id': contractId,
      kind: kind ?? 'roster',
      'reference-month': String(referenceMonth),
      'invoice-kind': invoiceKind,
      'layout-id': layoutId,
      name: file === '-' ? undefined : basename(file),
      type: isWorkbook(bytes) ? xlsxType : 'text/plain',
    })
    if (json) printJson({ result })
    else printItems([result], columnsOf('carrier-file list'))
  },
})
