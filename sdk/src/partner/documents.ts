import { rawBody } from '../files.ts'
import { Documents as Methods } from '../generated/partner.ts'
import { type Bytes, type Transport, readJson } from '../transport.ts'
import type { FileBody, RequestOptions, ResponseBody } from '../types.ts'

export interface UploadOptions extends RequestOptions {
  /** The name that operators see. Without it that of the path or of the `File`. */
  readonly name?: string
}

/** Documents that accompany movements. */
export class Documents extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Uploads a document: PDF, JPEG, PNG, TIFF or HEIC, up to 20 MiB. A movement names its `document-id` within 7 days.
   * @param file a path, a Blob or File, bytes, or a stream. A stream is sent once: it is not repeated when the connection breaks.
   */
  async upload(file: FileBody, { name, ...options }: UploadOptions = {}): Promise<ResponseBody<'uploadDocument'>> {
    const raw = await rawBody(file)
    const { 'document-id': id, 'upload-url': url } = await this.createUploadUrl(options)
    const fileName = name ?? (typeof file === 'string' ? file.replace(/^.*[\\/]/, '') : (file as Partial<File>).name)
    const { bytes } = raw
    // The name is a part of a form.
    const body = raw.isRepeatable && fileName ? { bytes: formOf(bytes, fileName), isRepeatable: true } : raw
    // 410: the address was used by the attempt that got no response.
    const call = { url, raw: body, options, doneStatus: 410 }
    await this.#transport.send('uploadDocument', call, readJson<ResponseBody<'uploadDocument'>>)
    return { 'document-id': id }
  }
}

function formOf(bytes: Bytes, name: string): FormData {
  const form = new FormData()
  form.set('file', bytes instanceof Blob ? bytes : new Blob([bytes as ArrayBuffer]), name)
  return form
}
