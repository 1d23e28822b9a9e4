import { request } from 'node:http'
import { crc32 } from 'node:zlib'
import { v7 as uuidv7 } from 'uuid'
import { checkResponse } from './conformance.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  type TestApp,
  type Json,
  parsed,
  withoutExplanation,
} from './test-app.ts'
import { pdf } from './upload.ts'

let serial = 0

/** An invoice as an operator puts it. */
export function invoiceBody(company: Company, overrides: Record<string, unknown> = {}): Record<string, Json> {
  return {
    'company-tax-id': company.taxId,
    'carrier-name': 'Operadora Aurora',
    amount: 1_845_090,
    'due-date': '2026-12-10',
    'reference-period-start': '2026-11-01',
    'reference-period-end': '2026-11-30',
    ...overrides,
  }
}

export const invoicePath = (id: string) => `/operator/v1/invoice/${encodeURIComponent(id)}`

/** Puts an invoice. @returns its id. */
export async function putInvoice(testApp: TestApp, company: Company, overrides: Json = {}): Promise<string> {
  serial += 1
  const { id = `fatura ${serial}/2026`, ...body } = overrides
  expectOk(await testApp.operator.put(invoicePath(id), invoiceBody(company, body)))
  return id
}

export interface SentFile {
  readonly fileId?: string
  readonly name?: string
  readonly type?: string
  readonly due?: string
  readonly bytes?: Buffer | string
  /** null: none. */
  readonly contentType?: string | null
}

/** The path and query of a file. */
export function filePath(invoiceId: string, fileId: string, file: SentFile = {}): string {
  const type = file.type ?? 'payment-slip'
  const query = new URLSearchParams({ name: file.name ?? 'boleto.pdf', type })
  const due = file.due ?? (type === 'payment-slip' ? '2026-12-10' : undefined)
  if (due !== undefined) query.set('payment-slip-due-date', due)
  return `${invoicePath(invoiceId)}/file/${fileId}?${query.toString()}`
}

/** Sends a file as any HTTP client does; without a content type only when that is null, which `fetch` cannot. */
export async function sendFile(
  testApp: TestApp,
  invoiceId: string,
  file: SentFile = {},
  token: string = testApp.operator.token,
): Promise<ApiResponse & { readonly fileId: string }> {
  const { fileId = uuidv7(), bytes = pdf, contentType = 'application/pdf' } = file
  const path = filePath(invoiceId, fileId, file)
  const response = await new Promise<ApiResponse>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-length': Buffer.byteLength(bytes),
      ...(contentType === null ? {} : { 'content-type': contentType }),
    }
    const outgoing = request(testApp.url + path, { method: 'PUT', headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const received = new Headers(incoming.headers as Record<string, string>)
        resolve({ status: incoming.statusCode ?? 0, headers: received, text, body: JSON.parse(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })
  checkResponse('PUT', path, response)
  return { ...response, body: withoutExplanation(response), fileId }
}

/** Gives an invoice a file. @returns the file's id. */
export async function putFile(testApp: TestApp, invoiceId: string, file: SentFile = {}): Promise<string> {
  const response = await sendFile(testApp, invoiceId, file)
  expectOk(response)
  return response.fileId
}

/** Says what became of a slip. */
export async function mark(testApp: TestApp, invoiceId: string, fileId: string, status: string): Promise<ApiResponse> {
  const path = `${invoicePath(invoiceId)}/file/${fileId}`
  return testApp.call('PATCH', path, { token: testApp.operator.token, body: { status } })
}

/** The list of what is to be paid. */
export async function pending(client: Client, query = ''): Promise<Json[]> {
  return expectOk(await client.get(`/v1/invoices/pending-payment${query}`)).body.result
}

export const downloadPath = (id: string, fileId?: string) =>
  `/v1/invoices/${encodeURIComponent(id)}/download${fileId === undefined ? '' : `?file-id=${fileId}`}`

export interface Downloaded {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** The bytes as they come. */
export async function download(
  testApp: TestApp,
  client: Client,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Downloaded> {
  const response = await fetch(testApp.url + path, {
    method,
    headers: { authorization: `Bearer ${client.token}`, ...headers },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  checkResponse(method, path, { status: response.status, headers: response.headers, body: parsed(String(bytes)) })
  return { status: response.status, headers: response.headers, bytes }
}

export interface Unzipped {
  readonly name: string
  readonly isUtf8: boolean
  readonly bytes: Buffer
}

const most32 = 0xffff_ffff

/** Where the directory of a ZIP begins and how many entries it has, ZIP64 or not. */
export function directoryOf(zip: Buffer): { offset: number; count: number; isZip64: boolean } {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const offset = zip.readUInt32LE(end + 16)
  if (offset !== most32 && zip.readUInt16LE(end + 10) !== 0xffff) {
    return { offset, count: zip.readUInt16LE(end + 10), isZip64: false }
  }
  if (zip.readUInt32LE(end - 20) !== 0x07064b50) throw new Error('no ZIP64 locator')
  const record = end - 76
  if (zip.readUInt32LE(record) !== 0x06064b50) throw new Error('no ZIP64 record')
  return {
    offset: Number(zip.readBigUInt64LE(record + 48)),
    count: Number(zip.readBigUInt64LE(record + 32)),
    isZip64: true,
  }
}

/** Reads a ZIP by its directory, as unzip programs do, and holds both headers and the checksums against each other. */
export function unzip(zip: Buffer): Unzipped[] {
  const { offset, count } = directoryOf(zip)
  const found: Unzipped[] = []
  let at = offset
  for (let index = 0; index < count; index += 1) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error(`no directory record at ${at}`)
    const nameLength = zip.readUInt16LE(at + 28)
    const local = zip.readUInt32LE(at + 42)
    if (zip.readUInt32LE(local) !== 0x04034b50) throw new Error(`no header at ${local}`)
    const [inDirectory, inFile] = [zip.subarray(at + 6, at + 30), zip.subarray(local + 4, local + 28)]
    if (!inDirectory.equals(inFile)) throw new Error('the header and the directory tell different things')
    const name = zip.subarray(at + 46, at + 46 + nameLength)
    if (!zip.subarray(local + 30, local + 30 + nameLength).equals(name)) throw new Error('two names')
    const begin = local + 30 + nameLength + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(begin, begin + zip.readUInt32LE(at + 24))
    if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`wrong checksum of ${name.toString()}`)
    found.push({ name: name.toString(), isUtf8: (zip.readUInt16LE(at + 8) & 0x0800) !== 0, bytes })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return found
}
