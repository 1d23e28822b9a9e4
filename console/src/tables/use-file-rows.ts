import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { tableTypeOf } from '../api/table-type.ts'
import { rowsOf } from './file-rows.ts'

/** The rows of a table from its header on, which has all columns: titles above it are blank. @param headerRow undefined: the service finds it. */
export async function readFileRows(file: File, headerRow: number | undefined, signal?: AbortSignal) {
  const query = headerRow === undefined ? {} : { 'header-row': headerRow }
  const type = tableTypeOf(file)
  const { body } = await api.imports.tableAsCsv(file, query, { type, ...(signal !== undefined && { signal }) })
  return rowsOf(await new Response(body).text())
}

/** The same, while a file is chosen. */
export function useFileRows(file: File | null, headerRow: number | undefined) {
  return useQuery({
    queryKey: ['fileRows', file?.name, file?.size, file?.lastModified, headerRow],
    enabled: file !== null,
    queryFn: ({ signal }) => (file === null ? [] : readFileRows(file, headerRow, signal)),
    retry: false,
    gcTime: 0,
  })
}
