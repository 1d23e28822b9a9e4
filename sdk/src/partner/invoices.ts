import { download } from '../download.ts'
import type { Destination, Download, Saved } from '../files.ts'
import { type List, listOf } from '../list.ts'
import type { Transport } from '../transport.ts'
import type { Invoice, Query, RequestOptions } from '../types.ts'

export interface DownloadOptions extends RequestOptions {
  /** One file of the invoice; without it a ZIP of all. */
  readonly 'file-id'?: string
}

/** Invoices of the companies of the client. */
export class Invoices {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listInvoices'>, options?: RequestOptions): List<Invoice> {
    return listOf(this.#transport, 'listInvoices', [], query, options)
  }

  /** Those with a pending or overdue payment. */
  listPending(query?: Query<'listPendingInvoices'>, options?: RequestOptions): List<Invoice> {
    return listOf(this.#transport, 'listPendingInvoices', [], query, options)
  }

  get(invoiceId: string, options?: RequestOptions): Promise<Invoice> {
    return this.#transport.result('readInvoice', { path: [invoiceId], options })
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
    return download(this.#transport, 'downloadInvoice', [invoiceId], { 'file-id': fileId }, { ...options, to })
  }
}
