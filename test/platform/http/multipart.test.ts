import * as fc from 'fast-check'
import fastify, { type FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '#platform/http/context.ts'
import { acceptForms, openMultipart } from '#platform/http/multipart.ts'
import { chunksOf, type IncomingFile, inspect } from '#platform/http/upload-stream.ts'

const boundary = 'x-y'

/** A body that comes in these pieces, each with memory of its own as the socket gives it. */
function bodyOf(body: Buffer, cuts: readonly number[]): Readable {
  const ends = [...new Set(cuts.map((cut) => cut % (body.length + 1)))].sort((a, b) => a - b)
  const pieces = [0, ...ends].map((from, index) => {
    const part = body.subarray(from, ends[index] ?? body.length)
    const own = Buffer.allocUnsafeSlow(part.length)
    part.copy(own)
    return own
  })
  return Readable.from(
    pieces.filter((piece) => piece.length > 0),
    { objectMode: false },
  )
}

const requestOf = (body: Buffer, cuts: readonly number[]) =>
  Object.assign(bodyOf(body, cuts), { complete: true }) as unknown as IncomingMessage

const app = fastify() as unknown as App
let received: (request: FastifyRequest) => Promise<unknown>

beforeAll(async () => {
  await acceptForms(app)
  app.post('/', async (request) => {
    await received(request)
    return {}
  })
  await app.ready()
})
afterAll(() => app.close())

/** What a handler gets that opens and reads the form. */
async function readForm<T>(
  body: Buffer,
  cuts: readonly number[],
  read: (form: IncomingFile) => Promise<T>,
): Promise<T> {
  const result = Promise.withResolvers<T>()
  received = async (request) => {
    const outcome = openMultipart(request).then(read)
    result.resolve(outcome)
    await outcome
  }
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  await Promise.all([app.inject({ method: 'POST', url: '/', headers, payload: bodyOf(body, cuts) }), result.promise])
  return result.promise
}

function formOf(file: Buffer, after = ''): Buffer {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n${after}--${boundary}--\r\n`)])
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const chunk of chunks) {
    // As a disk does: the bytes are read some time after they were given.
    if (copies.length % 3 === 0) await turn()
    copies.push(Buffer.from(chunk))
  }
  return Buffer.concat(copies)
}

// Bytes among which what looks like the boundary is frequent.
const fileBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r\n', '--', `\r\n--${boundary}`, `\r\n--x`, '-').map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Buffer.concat([Buffer.from('%PDF-1.7 0000'), ...parts]))
  .filter((bytes) => !bytes.includes(`\r\n--${boundary}`))

test('a file in a form comes out byte for byte, however the body was cut', async () => {
  await fc.assert(
    fc.asyncProperty(fileBytes, fc.array(fc.nat(), { maxLength: 40 }), async (file, cuts) => {
      const after = `--${boundary}\r\ncontent-disposition: form-data; name="x"\r\n\r\ny\r\n`
      const bytes = await readForm(formOf(file, after), cuts, async (form) => {
        const inspected = await inspect(form.chunks, 1e6)
        const collected = await collect(inspected.chunks)
        await form.finish()
        return collected
      })
      expect(bytes.equals(file)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a raw file comes out byte for byte, however the body was cut', async () => {
  await fc.assert(
    fc.asyncProperty(fileBytes, fc.array(fc.nat(), { maxLength: 40 }), async (file, cuts) => {
      const inspected = await inspect(chunksOf(requestOf(file, cuts)), 1e6)
      expect((await collect(inspected.chunks)).equals(file)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a form that is cut off anywhere is refused, and never hangs', async () => {
  const whole = formOf(Buffer.from('%PDF-1.7 0000 some more bytes'))
  for (let length = 0; length < whole.length - 4; length += 1) {
    const read = readForm(whole.subarray(0, length), [20, 90], async (form) => {
      const inspected = await inspect(form.chunks, 1e6)
      await collect(inspected.chunks)
      await form.finish()
    })
    await expect(read, `cut at ${length}`).rejects.toMatchObject({ statusCode: 400 })
  }
})

// Parts of forms, also after the last boundary.
const anyForm = fc
  .array(
    fc.constantFrom(
      `--${boundary}`,
      `--${boundary}--`,
      '\r\n',
      '-',
      'content-disposition: form-data; name="file"; filename="a.pdf"',
      'content-disposition: form-data; name="note"',
      `\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"\r\n\r\n%PDF-1.7 0000`,
      `\r\n--${boundary}\r\ncontent-disposition: form-data; name="note"\r\n\r\nx`,
      `\r\n--${boundary}--\r\n`,
      'x'.repeat(3_000),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.from(parts.join('')))

test('whatever a form consists of, it is read or refused', async () => {
  await fc.assert(
    fc.asyncProperty(anyForm, fc.array(fc.nat(), { maxLength: 10 }), async (body, cuts) => {
      const read = readForm(body, cuts, async (form) => {
        await collect(form.chunks)
        await form.finish()
        return 200
      })
      const status = await read.catch((error: unknown) => (error as { statusCode: unknown }).statusCode)
      expect([200, 400]).toContain(status)
    }),
    { numRuns: 3_000, timeout: 10_000 },
  )
})

test('other fields are passed over, whatever their names, types and values', async () => {
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: application/json\r\n\r\n${value}\r\n`
  const fields = field('constructor', '1') + field('note', '{broken') + field('long', `"${'x'.repeat(3_000)}"`)
  const file = Buffer.from('%PDF-1.7 0000')
  const form = Buffer.concat([Buffer.from(fields), formOf(file, fields)])
  const bytes = await readForm(form, [], async (opened) => {
    const collected = await collect(opened.chunks)
    await opened.finish()
    return collected
  })
  expect(bytes.equals(file)).toBe(true)
})

test('a reader that stops early ends the reading of the body', async () => {
  const cuts = Array.from({ length: 50 }, (_, n) => n * 10_000)
  const read = readForm(formOf(Buffer.alloc(500_000, '%PDF-1.7')), cuts, async (form) => {
    await form.chunks.next()
    await form.chunks.return(undefined)
    await form.finish()
  })
  await expect(read).rejects.toMatchObject({ statusCode: 400 })
})
