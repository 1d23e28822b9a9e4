import { Documents as Methods } from '../generated/operator.ts'
import type { Transport } from '../transport.ts'
import type { FileBody, ResponseBody } from '../types.ts'
import { upload, type UploadOptions } from '../upload.ts'

/** Documents that accompany movements, and those that show how a request came. */
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
  upload(file: FileBody, options: UploadOptions = {}): Promise<ResponseBody<'uploadDocument'>> {
    return upload(this.#transport, (others) => this.createUploadUrl(others), file, options)
  }
}
