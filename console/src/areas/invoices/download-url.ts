/** The address of the ZIP of all files of an invoice, or of one file; the browser saves it without the memory of the page. */
export function downloadUrl(invoiceId: string, fileId?: string): string {
  const query = fileId === undefined ? '' : `?file-id=${encodeURIComponent(fileId)}`
  return `/operator/v1/invoice/${encodeURIComponent(invoiceId)}/download${query}`
}
