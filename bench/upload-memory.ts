/*
 * What an upload of 20 MiB adds to the memory of the process, on both storages: `node bench/upload-memory.ts` (Linux).
 * The service runs in a process of its own; its peak (VmHWM) is set back before each upload and compared with what it had.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startS3 } from '../test/storage/s3-store.ts'

const mebibyte = 1024 * 1024
const uploads = 6
const operator = { id: 'bench', secret: 'a-secret-of-the-bench-4711' }
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

interface Running {
  readonly child: ChildProcess
  readonly url: string
}

async function start(settings: Record<string, string>): Promise<Running> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VIGENCIA_'))
  const child = spawn(process.execPath, [main, 'start'], {
    env: {
      ...Object.fromEntries(inherited),
      VIGENCIA_PORT: '0',
      VIGENCIA_DEMO: 'false',
      VIGENCIA_LOG_LEVEL: 'warn',
      VIGENCIA_RATE_LIMITS: 'off',
      VIGENCIA_OPERATOR_CLIENT_ID: operator.id,
      VIGENCIA_OPERATOR_CLIENT_SECRET: operator.secret,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (http:\/\/\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { child, url }
  }
  throw new Error('the service did not start')
}

async function post(url: string, token: string | null, body?: unknown): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

async function signIn(url: string, id: string, secret: string): Promise<string> {
  const response = await post(`${url}/v1/authenticate`, null, { 'client-id': id, 'client-secret': secret })
  return response['access-token'] ?? ''
}

const memory = (pid: number, name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

async function send(url: string, token: string, bytes: Buffer, asForm: boolean): Promise<void> {
  const slot = await post(`${url}/v1/enrollment/document-upload-url`, token)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.pdf')
  const response = await fetch(slot['upload-url'] ?? '', {
    method: 'POST',
    body: asForm ? form : new Uint8Array(bytes),
  })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`upload answered ${response.status}`)
}

async function measure(name: string, settings: Record<string, string>): Promise<void> {
  const { child, url } = await start(settings)
  const pid = child.pid ?? 0
  try {
    const admin = await signIn(url, operator.id, operator.secret)
    const client = await post(`${url}/operator/v1/client`, admin, { name: 'bench', 'company-tax-ids': [] })
    const token = await signIn(url, client['client-id'] ?? '', client['client-secret'] ?? '')
    const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)])
    const bytes = pdf(20 * mebibyte)
    for (let n = 0; n < 20; n += 1) await send(url, token, pdf(100_000), n % 2 === 0)
    for (const asForm of [false, true]) {
      const rises: number[] = []
      for (let n = 0; n < uploads; n += 1) {
        writeFileSync(`/proc/${pid}/clear_refs`, '5')
        const before = memory(pid, 'VmRSS')
        await send(url, token, bytes, asForm)
        rises.push(memory(pid, 'VmHWM') - before)
      }
      const shown = rises.map((rise) => rise.toFixed(1)).join('  ')
      console.log(`${name}, ${asForm ? 'form' : 'raw '}  most ${Math.max(...rises).toFixed(1)} MiB  each ${shown}`)
    }
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const before = memory(pid, 'VmRSS')
    await Promise.all(Array.from({ length: 8 }, () => send(url, token, bytes, false)))
    console.log(`${name}, eight at once  ${(memory(pid, 'VmHWM') - before).toFixed(1)} MiB`)
  } finally {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
}

const folder = mkdtempSync(join(tmpdir(), 'vigencia-bench-'))
const store = await startS3()
try {
  console.log('Rise of the peak over what the process had before, uploads of 20 MiB one after the other:')
  await measure('folder', { VIGENCIA_DATA_DIR: join(folder, 'a') })
  await measure('S3    ', { VIGENCIA_DATA_DIR: join(folder, 'b'), VIGENCIA_STORAGE_URL: store.url })
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
