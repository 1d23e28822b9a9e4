import { Download, rawBody } from './files.ts'
import { resultOf, type Transport } from './transport.ts'
import type { FileBody, LinesOptions, Query, Result } from './types.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The operations of both APIs, which are the same. */
type TableId = 'readTable' | 'readTableOfCompany'

export async function readTable(
  transport: Transport,
  id: TableId,
  file: FileBody,
  query: Query<'readTable'>,
  { type = 'text/csv', ...options }: LinesOptions,
): Promise<Result<'readTable'>> {
  const raw = await rawBody(file, type)
  return resultOf(await transport.json(id, { raw, query, options })) as Result<'readTable'>
}

/** The same table as a workbook. */
export async function tableAsWorkbook(
  transport: Transport,
  id: TableId,
  file: FileBody,
  query: Query<'readTable'>,
  { type = 'text/csv', ...options }: LinesOptions,
): Promise<Download> {
  const call = { raw: await rawBody(file, type), query, headers: { accept: xlsx }, options, isStream: true }
  return transport.send(id, call, async (response) => new Download(response))
}
