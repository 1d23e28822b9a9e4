import type { ResponseBody, Schemas } from '@vigencia/client'
import { sendFile } from '../../api/send-file.ts'
import type { Layout } from './layout.ts'

const mediaTypes: Readonly<Record<Layout['format'], string>> = {
  csv: 'text/csv',
  'fixed-width': 'text/plain',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** What a layout that files are read by reads in a file; null: it is one that files are written by. @throws ApiError 400 or 415 for a file of another form. */
export async function readWithLayout(
  { 'layout-id': id, version, format }: Pick<Layout, 'layout-id' | 'version' | 'format'>,
  file: Blob,
): Promise<Schemas['LayoutReading'] | null> {
  const body = await sendFile({
    method: 'POST',
    path: `/operator/v1/layout/${encodeURIComponent(id)}/preview?version=${version}`,
    file,
    contentType: mediaTypes[format],
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  const { result } = body as ResponseBody<'previewLayout'>
  return 'counts' in result ? result : null
}
