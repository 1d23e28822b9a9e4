/** Rows by their company, in the order of the companies: a statement is of one, and locks are taken in this order. Mostly there is one. */
export function byCompany<Row extends { readonly companyId: string }>(rows: readonly Row[]): [string, Row[]][] {
  return [...Map.groupBy(rows, ({ companyId }) => companyId)].sort(([a], [b]) => (a < b ? -1 : 1))
}
