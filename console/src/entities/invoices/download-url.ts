/** The address of the ZIP of all files of an invoice, or of one file; the browser saves it without the memory of the page. */
export function downloadUrl(invoiceId: string, fileId?: string, invoices = '/operator/v1/invoice'): string {
  const query = fileId === undefined ? '' : `?file-id=${encodeURIComponent(fileId)}`
  return `${invoices}/${encodeURIComponent(invoiceId)}/download${query}`
}
