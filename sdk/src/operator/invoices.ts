import { rawBody } from '../files.ts'
import { Invoices as Methods } from '../generated/operator.ts'
import type { Transport } from '../transport.ts'
import type { FileBody, Invoice, WriteOptions } from '../types.ts'

/** Invoices and their files. */
export class Invoices extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** Stores a file of up to 100 MiB. @param file a path, a Blob, bytes, or a stream, which is sent once. */
  async putFile(
    invoiceId: string,
    fileId: string,
    file: FileBody,
    {
      name,
      type,
      'payment-slip-due-date': dueDate,
      contentType,
      ...options
    }: WriteOptions<'putInvoiceFile'> & { readonly contentType?: string },
  ): Promise<Invoice> {
    const raw = await rawBody(file, contentType ?? (type === 'payment-slip' ? 'application/pdf' : undefined))
    const query = { name, type, 'payment-slip-due-date': dueDate }
    return this.#transport.result('putInvoiceFile', { path: [invoiceId, fileId], raw, query, options })
  }
}
