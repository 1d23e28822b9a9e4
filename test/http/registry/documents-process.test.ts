import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client as PgClient } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorage } from '#platform/core/storage/open-storage.ts'
import { isLong } from '../../scale.ts'
import { startS3, type S3Store } from '../../platform/core/storage/s3-store.ts'
import { type Client, type Json, openTestApp, useTestApp, until } from '../../world/test-app.ts'
import {
  breakOff,
  formOf,
  largest,
  newSlot,
  pdf,
  pdfOf,
  putRaw,
  sendForm,
  type UploadSlot,
} from '../../world/upload.ts'

/*
 * What only a process of its own can show: being killed in the middle of an upload, and what it writes to its log.
 */

const testApp = useTestApp()
let partner: Client
const children: ChildProcess[] = []

beforeAll(async () => {
  partner = await testApp.partner((await testApp.company()).taxId)
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
})

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))

/** An `api` process beside the app, on its database and its files. */
async function startBeside(settings: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VIGENCIA_'))
  const child = spawn(process.execPath, [main, 'start'], {
    env: {
      ...Object.fromEntries(inherited),
      VIGENCIA_DATABASE_URL: testApp.databaseUrl,
      VIGENCIA_MASTER_KEY: testApp.masterKey,
      VIGENCIA_ENVIRONMENT: 'staging',
      VIGENCIA_DATA_DIR: testApp.dataDir,
      VIGENCIA_PORT: '0',
      VIGENCIA_ROLE: 'api',
      VIGENCIA_LOG_LEVEL: 'debug',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const log = text(child.stderr)
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (http:\/\/\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return {
      url,
      /** Ends it and gives its whole log. */
      end: async (signal: NodeJS.Signals) => {
        child.kill(signal)
        await exited
        return log
      },
    }
  }
  throw new Error(`it did not start: ${await log}`)
}

function at(url: string, slot: UploadSlot): UploadSlot {
  const { pathname, search } = new URL(slot.url)
  return { ...slot, url: url + pathname + search }
}

const storedNames = () => readdir(join(testApp.dataDir, 'files', 'document')).catch(() => [] as string[])
const loose = async () => (await testApp.sql('select key from orphan_file')).map((row) => String(row['key']))
const filledAt = async (slot: UploadSlot) =>
  (await testApp.sql('select uploaded_at from document where id = $1', [slot.id]))[0]?.['uploaded_at']

/** Sends the first bytes of an upload and leaves the connection open. */
async function begin(slot: UploadSlot, bytes: Buffer, declared: number): Promise<void> {
  const outgoing = request(slot.url, { method: 'PUT', headers: { 'content-length': declared } })
  outgoing.on('error', () => {})
  await new Promise<void>((resolve) => outgoing.write(bytes, () => resolve()))
}

test('a process killed in the middle of an upload leaves the address as it was, nothing to read, and what is left is swept', async () => {
  const victim = await startBeside()
  const slot = await newSlot(partner)
  await begin(at(victim.url, slot), pdfOf(8_000_000), largest)
  await until(storedNames, (names) => names.some((name) => name.endsWith('.part')))
  await victim.end('SIGKILL')

  expect(await filledAt(slot)).toBeNull()
  expect((await storedNames()).every((name) => name.endsWith('.part'))).toBe(true)
  expect(await loose()).toHaveLength(1)
  expect((await putRaw(at(testApp.url, slot), pdf)).status).toBe(200)

  await testApp.sql(`update orphan_file set delete_after = now() - interval '2 minutes'`)
  await testApp.restart()
  await until(loose, (keys) => keys.length === 0)
  expect(await storedNames()).toHaveLength(1)
  expect(await filledAt(slot)).not.toBeNull()
})

test('a process killed between the bytes and the row leaves the address as it was', async () => {
  const victim = await startBeside()
  const slot = await newSlot(partner)
  const before = await storedNames()
  const holder = new PgClient({ connectionString: testApp.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from document where id = $1 for update', [slot.id])
    const sending = putRaw(at(victim.url, slot), pdfOf(100_000)).catch(() => null)
    await until(
      storedNames,
      (names) => names.length === before.length + 1 && !names.some((name) => name.endsWith('.part')),
    )
    await victim.end('SIGKILL')
    expect(await sending).toBeNull()
  } finally {
    await holder.end()
  }
  // The statement of the killed process may still run; it has no effect without a commit.
  expect(await filledAt(slot)).toBeNull()
  expect(await loose()).toHaveLength(1)
  expect((await putRaw(at(testApp.url, slot), pdf)).status).toBe(200)
  await testApp.sql(`update orphan_file set delete_after = now() - interval '2 minutes'`)
  await testApp.restart()
  await until(loose, (keys) => keys.length === 0)
  expect(await storedNames()).toHaveLength(before.length + 1)
})

test('an upload that comes to its end after its bytes were given up for lost is refused, and can be sent again', async () => {
  const slot = await newSlot(partner)
  const outgoing = request(slot.url, { method: 'PUT', headers: { 'content-length': 200_000 } })
  const received = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.write(pdfOf(100_000))
  await until(loose, (keys) => keys.length === 1)
  await testApp.sql(`update orphan_file set delete_after = now() - interval '1 second'`)
  outgoing.end(Buffer.alloc(100_000))
  const [response] = await received
  response.resume()
  expect(response.statusCode).toBe(410)
  expect(await filledAt(slot)).toBeNull()
  expect((await putRaw(slot, pdf)).status).toBe(200)
})

test.runIf(isLong)(
  'on S3 too a process killed in the middle leaves nothing to read and the address as it was',
  async () => {
    const store: S3Store = await startS3()
    const onS3 = await openTestApp({ VIGENCIA_STORAGE_URL: store.url })
    try {
      const sender = await onS3.partner((await onS3.company()).taxId)
      const victim = await startBeside({
        VIGENCIA_STORAGE_URL: store.url,
        VIGENCIA_DATABASE_URL: onS3.databaseUrl,
        VIGENCIA_MASTER_KEY: onS3.masterKey,
      })
      const slot = await newSlot(sender)
      await begin(at(victim.url, slot), pdfOf(12_000_000), largest)
      const keys = async () => (await onS3.sql('select key from orphan_file')).map((row) => String(row['key']))
      const [key = ''] = await until(keys, (found) => found.length === 1)
      await until(
        () => store.partsWaiting(),
        (parts) => parts >= 2,
      )
      await victim.end('SIGKILL')

      const storage = await openStorage({ storageUrl: store.url, dataDir: onS3.dataDir })
      expect(await storage.read(key).catch(() => 'nothing')).toBe('nothing')
      storage.close()
      const response = await putRaw(at(onS3.url, slot), pdfOf(largest))
      expect(response.body).toEqual({ 'document-id': slot.id })
      const rows = await onS3.sql('select uploaded_at, size from document where id = $1', [slot.id])
      expect(rows).toMatchObject([{ size: largest }])
    } finally {
      await onS3.close()
      await store.close()
    }
  },
)

test('neither names nor signatures nor what is in a file get into the log', async () => {
  const beside = await startBeside()
  const token = { authorization: `Bearer ${partner.token}` }
  const newAddress = async () => {
    const response = await fetch(`${beside.url}/v1/enrollment/document-upload-url`, { method: 'POST', headers: token })
    const body = (await response.json()) as Json
    return { id: body['document-id'], url: body['upload-url'] } as UploadSlot
  }
  const names = [
    'Helena Brandão 529.982.247-25.pdf',
    '52998224725%0d%0a{"level":60}.pdf',
    '../../segredo\u202E.pdf',
    '%22; x=%22.pdf',
  ]
  const content = Buffer.concat([pdf, Buffer.from('conta 00123-4 de Helena')])
  const signatures: string[] = []
  for (const fileName of names) {
    const tooLarge = isLong || fileName === names[0] ? [pdfOf(largest + 1)] : []
    for (const bytes of [content, Buffer.from('Helena em texto'), Buffer.alloc(0), ...tooLarge]) {
      const slot = await newAddress()
      signatures.push(new URL(slot.url).searchParams.get('signature') ?? '-')
      await sendForm(slot, [{ field: 'file', fileName, bytes }])
      await sendForm(slot, formOf([{ field: fileName, fileName, bytes }]).subarray(0, -9))
      await putRaw(slot, bytes, { 'content-disposition': `attachment; filename="${encodeURIComponent(fileName)}"` })
      await breakOff(slot, bytes, 1_000_000)
    }
  }
  const log = await beside.end('SIGTERM')
  expect(log.split('\n').filter((line) => line.includes('"route":"/upload/:documentId"')).length).toBeGreaterThan(40)
  for (const word of [
    'Helena',
    '529.982',
    '52998224725',
    'segredo',
    '\u202E',
    '; x',
    '00123-4',
    'signature=',
    ...signatures,
  ]) {
    expect(log.includes(word) ? word : '').toBe('')
  }
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  for (const name of await storedNames()) expect(name).toMatch(/^[0-9a-f-]{36}$/)
})
