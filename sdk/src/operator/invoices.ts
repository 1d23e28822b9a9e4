import { download } from '../download.ts'
import { type Destination, type Download, rawBody, type Saved } from '../files.ts'
import { type List, listOf } from '../list.ts'
import type { Transport } from '../transport.ts'
import type { DownloadOptions } from '../partner/invoices.ts'
import type { FileBody, Invoice, Item, Query, RequestBody, RequestOptions, WriteOptions } from '../types.ts'

/** Invoices and their files. */
export class OperatorInvoices {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listAllInvoices'>, options?: RequestOptions): List<Item<'listAllInvoices'>> {
    return listOf(this.#transport, 'listAllInvoices', [], query, options)
  }

  get(invoiceId: string, options?: RequestOptions): Promise<Invoice> {
    return this.#transport.result('readAnyInvoice', { path: [invoiceId], options })
  }

  /**
   * The files of an invoice.
   * @param options `to`: the path or stream that the bytes are written to. A file at a path is complete or absent; a download that breaks is
   * begun again. Without it the bytes are read from what is returned.
   */
  download(invoiceId: string, options: DownloadOptions & { readonly to: Destination }): Promise<Saved>
  download(invoiceId: string, options?: DownloadOptions): Promise<Download>
  download(
    invoiceId: string,
    { to, 'file-id': fileId, ...options }: DownloadOptions & { readonly to?: Destination } = {},
  ): Promise<Download | Saved> {
    return download(this.#transport, 'downloadAnyInvoice', [invoiceId], { 'file-id': fileId }, { ...options, to })
  }

  /** Creates or replaces an invoice. */
  put(invoiceId: string, body: RequestBody<'putInvoice'>, options?: RequestOptions): Promise<Invoice> {
    return this.#transport.result('putInvoice', { path: [invoiceId], json: body, options })
  }

  async delete(invoiceId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('deleteInvoice', { path: [invoiceId], options, doneStatus: 404 })
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

  /** Sets the status of a payment slip. */
  markFile(
    invoiceId: string,
    fileId: string,
    body: RequestBody<'markInvoiceFile'>,
    options?: RequestOptions,
  ): Promise<Invoice> {
    return this.#transport.result('markInvoiceFile', { path: [invoiceId, fileId], json: body, options })
  }

  async deleteFile(invoiceId: string, fileId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('deleteInvoiceFile', { path: [invoiceId, fileId], options, doneStatus: 404 })
  }
}
