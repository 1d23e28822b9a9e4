import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { deriveKey } from '../platform/crypto/derive-key.ts'
import { hmacSha256 } from '../platform/crypto/hmac.ts'
import { StartError } from '../platform/errors.ts'

/*
 * The format of a backup file: a header of the format line, a random salt and an HMAC of both; then the content in chunks of 64 KiB,
 * each encrypted with AES-256-GCM and followed by its tag. As in the STREAM construction the nonce is the number of the chunk and a
 * byte that is 1 in the last chunk only, so that chunks cannot be removed, repeated, reordered or added. Both keys are derived from
 * the master key and the salt, so a nonce never repeats under one key.
 */

/** The first line of a backup; the number is that of the format. */
export const formatLine = Buffer.from('VIGENCIA-BACKUP-2\n')
const saltBytes = 32
const macBytes = 32
export const headerBytes = formatLine.length + saltBytes + macBytes

const algorithm = 'aes-256-gcm'
export const chunkBytes = 64 * 1024
const tagBytes = 16
const counterBytes = 11

interface FileKeys {
  readonly encryption: Buffer
  readonly header: Buffer
}

function fileKeys(masterKey: Buffer, salt: Buffer): FileKeys {
  const bytes = Buffer.from(hkdfSync('sha256', deriveKey(masterKey, 'backup'), salt, 'vigencia backup file', 64))
  return { encryption: bytes.subarray(0, 32), header: bytes.subarray(32) }
}

/** The content as a backup file, in constant memory: yields the header, then the encrypted chunks. */
export async function* encrypt(content: AsyncIterable<Buffer>, masterKey: Buffer): AsyncGenerator<Buffer> {
  const start = Buffer.concat([formatLine, randomBytes(saltBytes)])
  const keys = fileKeys(masterKey, start.subarray(formatLine.length))
  yield Buffer.concat([start, macOf(keys, start)])
  let number = 0
  let buffered = Buffer.alloc(0)
  for await (const bytes of content) {
    buffered = Buffer.concat([buffered, bytes])
    let from = 0
    // A full chunk is kept until more bytes come: it may be the last one.
    for (; buffered.length - from > chunkBytes; from += chunkBytes) {
      yield encryptChunk(keys, number, false, buffered.subarray(from, from + chunkBytes))
      number += 1
    }
    buffered = buffered.subarray(from)
  }
  yield encryptChunk(keys, number, true, buffered)
}

/**
 * The content of a backup file, chunk by chunk; each is authenticated before it is yielded, and the end is reached only when the
 * last chunk is the one that was written last.
 * @param path for messages only.
 * @throws StartError when the file is no backup, was made under another master key, or is not as it was written.
 */
export async function* decrypt(file: FileHandle, path: string, masterKey: Buffer): AsyncGenerator<Buffer> {
  const facts = await file.stat()
  const header = facts.isFile() ? await readAt(file, 0, headerBytes) : Buffer.alloc(0)
  if (header.length < headerBytes || !header.subarray(0, formatLine.length).equals(formatLine)) {
    throw new StartError(
      `${path} is no backup of Vigencia in the format that this version reads. Nothing was written; take another copy.`,
    )
  }
  const start = header.subarray(0, -macBytes)
  const keys = fileKeys(masterKey, start.subarray(formatLine.length))
  if (!timingSafeEqual(macOf(keys, start), header.subarray(-macBytes))) {
    throw new StartError(
      `The master key is not the one under which ${path} was encrypted (or the first bytes of the file were altered). Set ` +
        'VIGENCIA_MASTER_KEY to the master key of the service that was backed up, or put it into DATA_DIR/master.key. Nothing was written.',
    )
  }
  let position = headerBytes
  for (let number = 0, isLast = false; !isLast; number += 1) {
    const length = Math.min(chunkBytes + tagBytes, facts.size - position)
    isLast = position + length === facts.size
    const chunk = await readAt(file, position, length)
    const content = chunk.length === length ? decryptChunk(keys, number, isLast, chunk) : null
    if (content === null) {
      throw new StartError(`${path} was cut short or altered. Nothing was written; take another copy.`)
    }
    yield content
    position += length
  }
}

function macOf(keys: FileKeys, start: Buffer): Buffer {
  return hmacSha256(keys.header).update(start).digest()
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(counterBytes + 1)
  nonce.writeUIntBE(number, counterBytes - 6, 6)
  nonce[counterBytes] = isLast ? 1 : 0
  return nonce
}

function encryptChunk(keys: FileKeys, number: number, isLast: boolean, content: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, keys.encryption, nonceOf(number, isLast))
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** null when the chunk is not the one that was written at this position. */
function decryptChunk(keys: FileKeys, number: number, isLast: boolean, chunk: Buffer): Buffer | null {
  if (chunk.length < tagBytes) return null
  const nonce = nonceOf(number, isLast)
  const decipher = createDecipheriv(algorithm, keys.encryption, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(chunk.subarray(-tagBytes))
  const content = decipher.update(chunk.subarray(0, -tagBytes))
  try {
    decipher.final()
    return content
  } catch {
    return null
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
