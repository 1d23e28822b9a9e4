import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Gate } from '../access/gate.ts'
import { unavailable } from '../errors.ts'
import { archiveNames } from '../rules/archive-name.ts'
import type { ByteRange } from '../rules/byte-range.ts'
import type { Service } from '../service.ts'
import type { BytesOfFile } from './queries.ts'
import { layOutZip, type ZipLayout } from './zip.ts'

/** Neither side moved for so long: the download is given up. */
const stallMs = 60_000

/** 503 before the first byte. Later the connection breaks instead, so that nobody keeps half a file. */
export function fileStorageAway() {
  return unavailable('Invoice file storage unavailable')
}

/** The ZIP that the files of an invoice make, but for their bytes. */
export function zipOf(files: readonly BytesOfFile[]): ZipLayout {
  const names = archiveNames(files.map((file) => file.name))
  return layOutZip(files.map((file, index) => ({ ...file, name: names[index] ?? file.name })))
}

/** The bytes of a file, or of a part of it, once the first are at hand. @throws ApiError 503 */
export async function openFile(service: Service, gate: Gate, file: BytesOfFile, part?: ByteRange): Promise<Readable> {
  return throughGate(gate, async () => {
    const stream = await openBytes(service, file, part)
    return downloadOf(service, stream, [stream])
  })
}

/** The ZIP of the files, once the first bytes of the first are at hand. @throws ApiError 503 */
export async function openZip(
  service: Service,
  gate: Gate,
  files: readonly BytesOfFile[],
  layout: ZipLayout,
): Promise<Readable> {
  return throughGate(gate, async () => {
    const [file] = files
    const first = file === undefined ? null : await openBytes(service, file)
    return downloadOf(service, first, piecesOf(service, files, layout, first))
  })
}

/** One file after the other: only one is open at a time. */
async function* piecesOf(
  service: Service,
  files: readonly BytesOfFile[],
  layout: ZipLayout,
  first: Readable | null,
): AsyncGenerator<AsyncIterable<Buffer>> {
  let opened = first
  for (const [index, file] of files.entries()) {
    yield Readable.from([layout.headers[index]])
    opened ??= await openBytes(service, file)
    yield opened
    opened = null
  }
  yield Readable.from([layout.directory])
}

/** However the stream ends, taken whole, broken off or its reader gone, nothing stays open. */
function downloadOf(
  { log }: Service,
  first: Readable | null,
  pieces: Iterable<AsyncIterable<Buffer>> | AsyncIterable<AsyncIterable<Buffer>>,
): Readable {
  const watch = setTimeout(() => stream.destroy(new Error('the download stalled')), stallMs)
  const stream = Readable.from(chunksOf(pieces, watch), { objectMode: false, highWaterMark: 64 * 1024 })
  stream.once('error', (error) => log.error({ err: error }, 'a download of invoice files broke off'))
  stream.once('close', () => {
    clearTimeout(watch)
    first?.destroy()
  })
  return stream
}

async function* chunksOf(
  pieces: Iterable<AsyncIterable<Buffer>> | AsyncIterable<AsyncIterable<Buffer>>,
  watch: NodeJS.Timeout,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    for await (const chunk of piece) {
      watch.refresh()
      yield chunk
      watch.refresh()
    }
  }
}

async function openBytes({ storage, log }: Service, file: BytesOfFile, part?: ByteRange): Promise<Readable> {
  let stream: Readable | null = null
  try {
    const found = await storage.read(file.key, part)
    stream = found.stream
    if (found.size !== (part === undefined ? file.size : part.last - part.first + 1)) {
      throw new Error('the file is not as it was kept')
    }
    await once(stream, 'readable')
    return stream
  } catch (error) {
    stream?.destroy()
    log.error({ err: error, key: file.key }, 'invoice file storage away')
    throw fileStorageAway()
  }
}

/** Opens when the gate lets it in, and keeps the place until the stream is closed. */
async function throughGate(gate: Gate, open: () => Promise<Readable>): Promise<Readable> {
  const opened = Promise.withResolvers<Readable>()
  gate
    .pass(async () => {
      const stream = await open()
      const closed = new Promise<void>((resolve) => stream.once('close', resolve))
      opened.resolve(stream)
      await closed
    })
    .catch(opened.reject)
  return opened.promise
}
