import { rawBody } from './files.ts'
import { type Bytes, type Transport, readJson } from './transport.ts'
import type { FileBody, RequestOptions, ResponseBody } from './types.ts'

export interface UploadOptions extends RequestOptions {
  /** The name that operators see. Without it that of the path or of the `File`. */
  readonly name?: string
}

interface Slot {
  readonly 'document-id': string
  readonly 'upload-url': string
}

/** Uploads a document to the URL that `createUrl` gets. */
export async function upload(
  transport: Transport,
  createUrl: (options: RequestOptions) => Promise<Slot>,
  file: FileBody,
  { name, ...options }: UploadOptions,
): Promise<ResponseBody<'uploadDocument'>> {
  const raw = await rawBody(file)
  const { 'document-id': id, 'upload-url': url } = await createUrl(options)
  const fileName = name ?? (typeof file === 'string' ? file.replace(/^.*[\\/]/, '') : (file as Partial<File>).name)
  const { bytes } = raw
  // The name is a part of a form.
  const body = raw.isRepeatable && fileName ? { bytes: formOf(bytes, fileName), isRepeatable: true } : raw
  // 410: the address was used by the attempt that got no response.
  const call = { url, raw: body, options, doneStatus: 410 }
  await transport.send('uploadDocument', call, readJson<ResponseBody<'uploadDocument'>>)
  return { 'document-id': id }
}

function formOf(bytes: Bytes, name: string): FormData {
  const form = new FormData()
  form.set('file', bytes instanceof Blob ? bytes : new Blob([bytes as ArrayBuffer]), name)
  return form
}
