import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'
import type { Cipher } from '../../core/crypto/cipher.ts'

/** A response as it was first sent. */
interface StoredResponse {
  /** The headers that a replay repeats, `x-request-id` among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const deflated = promisify(deflateRaw)
const inflated = promisify(inflateRaw)
/** Bytes below which compressing takes less time than handing the text to a thread. */
const syncBelow = 16 * 1024

/** Compresses, then encrypts: 10,000 rejected members are megabytes, and hold CPFs and names. */
export async function encryptResponse(
  cipher: Cipher,
  purpose: string,
  { headers, text }: StoredResponse,
): Promise<Buffer> {
  const bytes = Buffer.from(`${JSON.stringify(headers)}\n${text}`)
  return cipher.encrypt(purpose, bytes.length < syncBelow ? deflateRawSync(bytes) : await deflated(bytes))
}

/** @throws StartError when it was encrypted under another master key or for another key or client. */
export async function decryptResponse(cipher: Cipher, purpose: string, encrypted: Buffer): Promise<StoredResponse> {
  const bytes = await inflated(cipher.decrypt(purpose, encrypted))
  const end = bytes.indexOf('\n')
  const headers = JSON.parse(bytes.subarray(0, end).toString()) as Record<string, string>
  return { headers, text: bytes.subarray(end + 1).toString() }
}
