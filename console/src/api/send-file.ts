import { ConnectionError, errorOf } from '@vigencia/client'
import { currentLanguage } from '../language/language.ts'

export interface FileToSend {
  readonly method: 'PUT' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly file: Blob
  readonly contentType: string
  readonly signal: AbortSignal
  /** @param fraction of the bytes that were sent, from 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/**
 * Sends a file as it is, with the session of the browser. `fetch` tells no progress of an upload, therefore XMLHttpRequest.
 * @returns the JSON of the response.
 * @throws ApiError, ConnectionError, or the reason of the signal.
 */
export async function sendFile({ method, path, file, contentType, signal, onProgress }: FileToSend): Promise<unknown> {
  const request = new XMLHttpRequest()
  const abort = () => request.abort()
  try {
    const response = await new Promise<Response>((resolve, reject) => {
      signal.throwIfAborted()
      request.open(method, path)
      request.setRequestHeader('content-type', contentType)
      request.setRequestHeader('accept-language', currentLanguage())
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
      request.upload.addEventListener('load', () => onProgress(1))
      request.addEventListener('load', () => {
        const headers = new Headers({ 'content-type': request.getResponseHeader('content-type') ?? '' })
        resolve(new Response(request.responseText, { status: request.status, headers }))
      })
      request.addEventListener('error', () => reject(new ConnectionError('The connection broke')))
      request.addEventListener('abort', () => reject(signal.reason as Error))
      signal.addEventListener('abort', abort)
      request.send(file)
    })
    if (!response.ok) throw await errorOf(response)
    return await response.json()
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
