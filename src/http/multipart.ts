import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { chunksOf, type IncomingFile } from './upload-stream.ts'

const fieldName = 'file'
const limits = { files: 1, fields: 20, parts: 21, fieldSize: 1_024, headerPairs: 20, headerSize: 16 * 1_024 }

/** Whether the body is a form with the file in it, rather than the file itself. */
export function isMultipart(request: IncomingMessage): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type']?.trim() ?? '')
}

/**
 * The one file of a form, in its field `file`; other fields are ignored. Resolves when the file starts.
 * @throws ApiError 400 when the form is malformed or has no such file; a second file rejects `finished`.
 */
export async function openMultipart(request: IncomingMessage): Promise<IncomingFile> {
  return new Form(request).open()
}

class Form {
  readonly #request: IncomingMessage
  readonly #parser: BusboyInstance
  readonly #begun = Promise.withResolvers<IncomingFile>()
  #refused: unknown = null
  #isFinished = false
  #file: BusboyFileStream | null = null
  /** Of the file: how many bytes its reader has processed, and whether it has stopped reading. */
  #consumed = 0
  #isLeft = false
  #wake = () => {}

  constructor(request: IncomingMessage) {
    this.#request = request
    this.#parser = parserFor(request)
  }

  open(): Promise<IncomingFile> {
    const parsing = Promise.withResolvers<void>()
    const finished = parsing.promise
    // Rejects `finished`, or before the file starts the promise of the file.
    finished.then(
      () => this.#begun.reject(invalidBody([{ field: fieldName, code: 'missing' }])),
      (error: unknown) => this.#begun.reject(error),
    )
    this.#parser
      .on('file', (name, stream, fileName) => this.#begin(name, stream, fileName, finished))
      .on('filesLimit', () => this.#refuse(invalidBody([{ field: fieldName, code: 'repeated' }])))
      .on('fieldsLimit', () => this.#refuse(invalidBody()))
      .on('partsLimit', () => this.#refuse(invalidBody()))
      .on('error', () => this.#refuse(invalidBody()))
      // Before the end of the body already, when more follows the last boundary.
      .on('finish', () => {
        this.#isFinished = true
        this.#wake()
      })
    parsing.resolve(this.#feed())
    return this.#begun.promise
  }

  #begin(name: string | undefined, stream: BusboyFileStream, fileName: string | undefined, finished: Promise<void>) {
    this.#file = stream
    stream.on('error', () => {})
    if (name === fieldName) {
      this.#begun.resolve({ name: fileName ?? null, chunks: this.#chunks(stream), finished })
    } else {
      this.#refuse(invalidBody([{ field: fieldName, code: 'missing' }]))
    }
  }

  #refuse(error: unknown): void {
    this.#refused ??= error
    this.#file?.destroy(error as Error)
    this.#wake()
  }

  async *#chunks(stream: BusboyFileStream): AsyncGenerator<Buffer> {
    let isRead = false
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        yield chunk
        this.#consumed += chunk.length
        this.#wake()
      }
      isRead = true
    } catch {
      throw this.#refused ?? invalidBody()
    } finally {
      this.#isLeft = !isRead
      this.#wake()
    }
  }

  /** Writes the body to the parser: the next chunk only when the parser and the reader of the file have processed this one. */
  async #feed(): Promise<void> {
    try {
      for await (const chunk of chunksOf(this.#request)) {
        let isParsed = false
        this.#parser.write(chunk, () => {
          isParsed = true
          this.#wake()
        })
        await this.#until(() => isParsed && this.#consumed >= (this.#file?.bytesRead ?? 0))
      }
      this.#parser.end()
      await this.#until(() => this.#isFinished)
    } catch (error) {
      this.#refuse(error)
    }
    if (this.#refused !== null) throw this.#refused
  }

  async #until(holds: () => boolean): Promise<void> {
    while (this.#refused === null && !holds()) {
      if (this.#isLeft) throw new ApiError('upload-broke-off')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#refused !== null) throw this.#refused
  }
}

function parserFor(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits,
      // The field `file` is the file, with or without a file name and a type.
      isPartAFile: (name, _type, fileName) => name === fieldName || fileName !== undefined,
    })
  } catch {
    throw invalidBody()
  }
}
