import { type ApiResponse, expectOk, type Json, type TestApp, until } from './test-app.ts'

export const filePath = '/operator/v1/carrier-file'
export const reconciliationPath = '/operator/v1/reconciliation'

export interface Upload {
  readonly contractId: string
  readonly kind?: 'roster' | 'invoice' | 'coparticipation'
  readonly month?: string
  readonly layout?: string
  readonly type?: string
  readonly invoiceKind?: 'main' | 'supplementary'
}

/** Sends a file: without a layout as a roster in the generic CSV. */
export function sendFile(
  { operator }: Pick<TestApp, 'operator'>,
  {
    contractId,
    kind = 'roster',
    month = '2026-11',
    layout = `generic-csv-${kind}`,
    type = 'text/csv',
    invoiceKind,
  }: Upload,
  bytes: string | Buffer,
): Promise<ApiResponse> {
  const query = new URLSearchParams({ 'contract-id': contractId, kind, 'reference-month': month, 'layout-id': layout })
  if (invoiceKind !== undefined) query.set('invoice-kind', invoiceKind)
  return operator.post(`${filePath}?${query.toString()}`, bytes, { 'content-type': type })
}

/** The file once the workers have read it. */
export function readFile({ operator }: TestApp, id: string): Promise<Json> {
  const read = async () => expectOk(await operator.get(`${filePath}/${id}`)).body.result
  return until(read, ({ status }) => status !== 'reading')
}

/** Sends a file and waits until it has been read. */
export async function upload(testApp: TestApp, options: Upload, bytes: string | Buffer): Promise<Json> {
  const { result } = expectOk(await sendFile(testApp, options, bytes)).body
  return readFile(testApp, result['file-id'])
}

export const linesOf = async ({ operator }: TestApp, id: string, query = ''): Promise<Json[]> =>
  expectOk(await operator.get(`${filePath}/${id}/line?items-per-page=500${query}`)).body.result

/** The reconciliation once the workers have computed it. */
export function computed({ operator }: TestApp, id: string): Promise<Json> {
  const read = async () => expectOk(await operator.get(`${reconciliationPath}/${id}`)).body.result
  return until(read, ({ status }) => status !== 'computing')
}

/** Compares a file. */
export async function reconcile(testApp: TestApp, fileId: string, more: Json = {}): Promise<Json> {
  const body = { 'carrier-file-id': fileId, ...more }
  const { result } = expectOk(await testApp.operator.post(reconciliationPath, body)).body
  return computed(testApp, result['reconciliation-id'])
}

/** Compares again. */
export async function repeat(testApp: TestApp, id: string): Promise<Json> {
  expectOk(await testApp.operator.post(`${reconciliationPath}/${id}/repeat`, {}))
  return computed(testApp, id)
}

export const discrepanciesOf = async ({ operator }: TestApp, id: string, query = ''): Promise<Json[]> =>
  expectOk(await operator.get(`${reconciliationPath}/${id}/discrepancy?items-per-page=500${query}`)).body.result

/** A CSV with a semicolon. */
export const csv = (rows: readonly Json[]): string => {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [headings, ...rows.map((row) => headings.map((name) => row[name] ?? ''))]
    .map((cells) => `${cells.join(';')}\n`)
    .join('')
}
