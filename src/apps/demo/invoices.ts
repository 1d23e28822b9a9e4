import { v7 as uuidv7 } from 'uuid'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { Tx } from '#platform/core/write.ts'
import { insertOrphan } from '#registry/documents/queries.ts'
import { newKey } from '#platform/core/storage/storage.ts'
import { StartError } from '#platform/core/errors.ts'
import { type FileData, type InvoiceData, writeInvoice, writeInvoiceFile } from '#money/invoices/write.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { Context } from '#platform/http/context.ts'
import { demoCompany } from './company.ts'
import { moneyOf } from '#platform/pdf/money.ts'
import { writePdf } from '#platform/pdf/write.ts'

/** The invoice that the welcome message downloads. */
export const demoInvoiceId = 'demo-invoice-1'

/** An invoice of the demo company, with files that are in the storage. */
interface DemoInvoice {
  readonly data: InvoiceData
  readonly files: readonly FileData[]
}

/**
 * Writes the files of the demo company's two invoices, one to be paid and one overdue, and returns their data.
 * @throws StartError when the storage cannot be written to.
 */
export async function writeDemoInvoices(
  context: Pick<Context, 'database' | 'storage'>,
  today: LocalDate,
): Promise<DemoInvoice[]> {
  return [
    await writeDemoInvoice(context, demoInvoiceId, 'Operadora Horizonte', 1_845_090, addDays(today, 10)),
    await writeDemoInvoice(context, 'demo-invoice-2', 'Odonto Vale', 96_720, addDays(today, -20)),
  ]
}

/** Inserts the invoices, in the transaction that inserts the company. */
export async function insertDemoInvoices(
  tx: Tx,
  companyId: string,
  invoices: readonly DemoInvoice[],
  today: LocalDate,
): Promise<void> {
  for (const { data, files } of invoices) {
    await writeInvoice(tx, companyId, data, today)
    for (const file of files) await writeInvoiceFile(tx, data.id, file, today)
  }
}

/** @param amount in cents. */
async function writeDemoInvoice(
  context: Pick<Context, 'database' | 'storage'>,
  id: string,
  carrierName: string,
  amount: number,
  dueDate: LocalDate,
): Promise<DemoInvoice> {
  const month = dueDate.slice(0, 7)
  const periodStart = `${month}-01`
  const periodEnd = addDays(`${addDays(periodStart, 31).slice(0, 7)}-01`, -1)
  const about = [
    `Empresa: ${demoCompany.name}`,
    `Operadora: ${carrierName}`,
    `Competência: ${month}`,
    `Vencimento: ${dueDate}`,
    `Valor: ${moneyOf((amount / 100).toFixed(2))}`,
    'Documento de demonstração, sem valor.',
  ]
  const slip = await writeFile(context, `boleto ${month}.pdf`, await writePdf('Boleto bancário', about), dueDate)
  const name = `demonstrativo de utilização ${month}.pdf`
  const statement = await writeFile(context, name, await writePdf('Demonstrativo de utilização', about), null)
  const data = { id, configId: null, carrierName, amount, dueDate, periodStart, periodEnd }
  return { data, files: [slip, statement] }
}

async function writeFile(
  { database, storage }: Pick<Context, 'database' | 'storage'>,
  name: string,
  bytes: Buffer,
  slipDueDate: LocalDate | null,
): Promise<FileData> {
  const key = newKey('invoice')
  const { length: size } = bytes
  const type = slipDueDate === null ? 'detailed-statement' : 'payment-slip'
  // Recorded as an orphan first: after a crash here the file is deleted later.
  await insertOrphan(database, key)
  try {
    await storage.write(key, Readable.from([bytes]))
  } catch (cause) {
    const message =
      'The files of the demo company could not be written: check VIGENCIA_STORAGE_URL, or set VIGENCIA_DEMO=false.'
    throw new StartError(message, { cause })
  }
  return { fileId: uuidv7(), name, type, contentType: 'application/pdf', size, crc32: crc32(bytes), key, slipDueDate }
}
