import { tableTypeOf } from '../api/table-type.ts'

/** The first lines of a longer CSV show its columns. */
const headBytes = 256 * 1024

/** The bytes of a file that show its columns: of a CSV whole lines. */
export async function headOf(file: File): Promise<Blob> {
  if (file.size <= headBytes || tableTypeOf(file) !== 'text/csv') return file
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  return new Blob([bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)])
}
