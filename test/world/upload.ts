import { request } from 'node:http'
import type { ApiResponse, Client, Json } from './test-app.ts'
import { expectOk, send } from './test-app.ts'

export interface UploadSlot {
  readonly id: string
  readonly url: string
}

const mebibyte = 1024 * 1024

/** The signature of each type, followed by other bytes. */
export const files: Record<string, Buffer> = {
  'application/pdf': Buffer.from('%PDF-1.7\nfirst and last page\n%%EOF\n'),
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  'image/png': Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  'image/tiff': Buffer.from('49492a0008000000000000000000', 'hex'),
  'image/heic': Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypheic\0\0\0\0mif1heic')]),
  'image/webp': Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0', 'latin1'),
}

export const pdf = files['application/pdf'] as Buffer

/** A PDF of exactly so many bytes. */
export function pdfOf(bytes: number): Buffer {
  return Buffer.concat([pdf, Buffer.alloc(bytes - pdf.length, 0x20)])
}

export const largest = 20 * mebibyte

export async function newSlot(client: Client, api = '/v1'): Promise<UploadSlot> {
  const { body } = expectOk(await client.post(`${api}/enrollment/document-upload-url`))
  return { id: body['document-id'], url: body['upload-url'] }
}

/** Sends the bytes as they are. */
export async function putRaw(
  slot: { readonly url: string },
  bytes: Buffer | string,
  headers: Record<string, string> = {},
  method = 'PUT',
): Promise<ApiResponse> {
  return send(slot.url, method, { body: bytes, headers: { 'content-type': 'application/octet-stream', ...headers } })
}

/** A filled slot. */
export async function upload(client: Client, bytes: Buffer = pdf, api?: string): Promise<string> {
  const slot = await newSlot(client, api)
  expectOk(await putRaw(slot, bytes))
  return slot.id
}

export interface Part {
  readonly field: string
  readonly fileName?: string
  readonly type?: string
  readonly bytes: Buffer | string
}

const boundary = 'vigencia-5f2c'

/** A form as bytes: names go in as they are given, whatever they do to the header. */
export function formOf(parts: readonly Part[]): Buffer {
  const written = parts.flatMap(({ field, fileName, type, bytes }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"` +
        `${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
}

export async function sendForm(
  slot: { readonly url: string },
  parts: readonly Part[] | Buffer,
  method = 'POST',
): Promise<ApiResponse> {
  const body = Buffer.isBuffer(parts) ? parts : formOf(parts)
  return putRaw(slot, body, { 'content-type': `multipart/form-data; boundary=${boundary}` }, method)
}

/** Begins an upload of a declared length, sends these bytes and no more, and breaks the connection. */
export async function breakOff(slot: { readonly url: string }, bytes: Buffer, declared: number): Promise<void> {
  const outgoing = request(slot.url, { method: 'PUT', headers: { 'content-length': declared } })
  outgoing.on('error', () => {})
  await new Promise<void>((resolve) => outgoing.write(bytes, () => resolve()))
  outgoing.destroy()
}

/** What a movement names its documents with. */
export function named(...ids: string[]): Json {
  return ids.map((id) => ({ 'document-id': id, 'document-type': 'marriage-certificate' }))
}
