import type * as FileSystem from 'node:fs'
import type * as FileSystemPromises from 'node:fs/promises'
import { broken } from './transport.ts'
import type { Bytes, RawBody } from './transport.ts'
import type { FileBody } from './types.ts'

/** Loads a module of Node when it is needed. Not written as a constant, so that bundlers for browsers leave it alone. */
const builtIn = <Module>(name: string): Promise<Module> => import(/* @vite-ignore */ `node:${name}`) as Promise<Module>

/** The bytes of a response, as they arrive. @throws ConnectionError when the response is cut off. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(broken(response))
      if (done) return
      yield value
    }
  } finally {
    // Ends the transfer when the reader stops before the end.
    await reader.cancel().catch(() => {})
  }
}

/** Where a download is written: a path, or a stream, which is closed at the end. */
export type Destination = string | WritableStream<Uint8Array>

/** Where a file is written; without `to` it is read from what is returned. A file at a path is complete or absent. */
export interface To {
  readonly to: Destination
}

/** A file that was written. */
export interface Saved {
  /** The name that the service gives it; null when it has none. */
  readonly name: string | null
  readonly type: string
  readonly bytes: number
}

/** A file of the service, not read yet. Read it, with `for await` in chunks, or cancel `body`: the connection stays open until then. */
export class Download {
  readonly name: string | null
  readonly type: string
  /** The bytes as they arrive. */
  readonly body: ReadableStream<Uint8Array>
  readonly #response: Response

  /** @internal */
  constructor(response: Response) {
    this.name = nameOf(response.headers.get('content-disposition'))
    this.type = response.headers.get('content-type') ?? 'application/octet-stream'
    this.body = response.body ?? new Blob([]).stream()
    this.#response = response
  }

  /** @throws ConnectionError when the file is cut off. */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return chunksOf(this.#response)
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.#response.arrayBuffer().catch(broken(this.#response)))
  }

  text(): Promise<string> {
    return this.#response.text().catch(broken(this.#response))
  }

  /** Writes it. A file is complete or absent, and readable to its user only. */
  async save(to: Destination): Promise<Saved> {
    const bytes = typeof to === 'string' ? await toPath(this.#response, to) : await toStream(this.#response, to)
    return { name: this.name, type: this.type, bytes }
  }
}

async function toStream(response: Response, stream: WritableStream<Uint8Array>): Promise<number> {
  const writer = stream.getWriter()
  let bytes = 0
  try {
    for await (const chunk of chunksOf(response)) {
      await writer.ready
      await writer.write(chunk)
      bytes += chunk.length
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
    throw error
  }
  return bytes
}

async function toPath(response: Response, path: string): Promise<number> {
  const { open, rename, rm } = await builtIn<typeof FileSystemPromises>('fs/promises')
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  let bytes = 0
  try {
    try {
      for await (const chunk of chunksOf(response)) {
        await file.writeFile(chunk)
        bytes += chunk.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return bytes
}

/** `filename*` or `filename` of Content-Disposition. */
function nameOf(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="?([^";]+)/i.exec(disposition ?? '')?.[1] ?? null
}

/** A file to send. @param type without it that of a Blob. */
export async function rawBody(file: FileBody, type?: string): Promise<RawBody & { readonly bytes: Bytes }> {
  const defaultType = type ?? 'application/octet-stream'
  if (typeof file === 'string') {
    const { openAsBlob, promises } = await builtIn<typeof FileSystem>('fs')
    // Its error names the file, that of `openAsBlob` does not.
    await promises.access(file)
    return { bytes: await openAsBlob(file), type: defaultType, isRepeatable: true }
  }
  if (file instanceof Blob) return { bytes: file, type: type ?? (file.type || defaultType), isRepeatable: true }
  if (file instanceof Uint8Array || file instanceof ArrayBuffer) {
    return { bytes: file as Bytes, type: defaultType, isRepeatable: true }
  }
  const stream = file instanceof ReadableStream ? file : streamOf(file)
  return { bytes: stream as Bytes, type: defaultType, isRepeatable: false }
}

/** A stream that reads the chunks as they are sent. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
