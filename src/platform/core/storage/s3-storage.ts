import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { checkKey, type Storage } from './storage.ts'

// The smallest part that S3 accepts; a write uses no more memory than this.
const partBytes = 5 * 1024 * 1024

interface Target {
  readonly client: S3Client
  readonly at: { readonly Bucket: string; readonly Key: string }
}

/** A bucket and how to reach it. */
export interface S3Location {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Empty, or ends in a slash. */
  readonly prefix: string
  /** null: the default credentials of the AWS SDK (environment, instance role). */
  readonly credentials: { accessKeyId: string; secretAccessKey: string } | null
}

/** Stores files in an S3-compatible store; a write resolves when the store has acknowledged it. */
export function openS3Storage(location: S3Location): Storage {
  const client = new S3Client({
    endpoint: location.endpoint,
    region: location.region,
    forcePathStyle: true,
    ...(location.credentials === null ? {} : { credentials: location.credentials }),
    // Many other stores do not support the newer checksums of Amazon S3.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  })
  // Reused by the next write: the garbage collector would free it late.
  let spare: Buffer | null = null
  const targetOf = (key: string): Target => ({
    client,
    at: { Bucket: location.bucket, Key: location.prefix + checkKey(key) },
  })
  return {
    async write(key, chunks) {
      const target = targetOf(key)
      const part = spare ?? Buffer.allocUnsafeSlow(partBytes)
      spare = null
      const written = await write(target, chunks, part)
      // Not after an error: the failed request may still be reading from it.
      spare = part
      return written
    },
    async read(key, part) {
      const range = part === undefined ? {} : { Range: `bytes=${part.first}-${part.last}` }
      const found = await client.send(new GetObjectCommand({ ...targetOf(key).at, ...range }))
      return { stream: found.Body as Readable, size: found.ContentLength ?? 0 }
    },
    remove: async (key) => remove(targetOf(key)),
    close: () => client.destroy(),
  }
}

/**
 * Writes a file through one buffer: as one object when it fits, else as a multipart upload. `@aws-sdk/lib-storage` would use twice the
 * memory.
 */
async function write(
  { client, at }: Target,
  chunks: AsyncIterable<Uint8Array>,
  part: Buffer,
): Promise<{ size: number }> {
  const parts: CompletedPart[] = []
  let uploadId = undefined as string | undefined
  let filled = 0
  let size = 0
  const sendPart = async (): Promise<void> => {
    uploadId ??= (await client.send(new CreateMultipartUploadCommand(at))).UploadId
    const sent = { UploadId: uploadId, PartNumber: parts.length + 1, Body: part.subarray(0, filled) }
    const { ETag } = await client.send(new UploadPartCommand({ ...at, ...sent, ContentLength: filled }))
    parts.push({ PartNumber: sent.PartNumber, ETag })
    filled = 0
  }
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      for (let taken = 0; taken < chunk.length;) {
        if (filled === partBytes) await sendPart()
        const piece = chunk.subarray(taken, taken + partBytes - filled)
        part.set(piece, filled)
        filled += piece.length
        taken += piece.length
      }
    }
    if (uploadId === undefined) {
      await client.send(new PutObjectCommand({ ...at, Body: part.subarray(0, filled), ContentLength: filled }))
    } else {
      await sendPart()
      const completed = { ...at, UploadId: uploadId, MultipartUpload: { Parts: parts } }
      await client.send(new CompleteMultipartUploadCommand(completed))
    }
    return { size }
  } catch (error) {
    // An upload that cannot be aborted here is aborted by `remove`; it is never readable.
    if (uploadId !== undefined) await abort({ client, at }, uploadId).catch(() => {})
    throw error
  }
}

async function abort({ client, at }: Target, uploadId: string | undefined): Promise<void> {
  await client.send(new AbortMultipartUploadCommand({ ...at, UploadId: uploadId }))
}

async function remove(target: Target): Promise<void> {
  const { client, at } = target
  await client.send(new DeleteObjectCommand(at))
  for (const uploadId of await interruptedUploads(target)) await abort(target, uploadId)
}

/** Multipart uploads of this key that a killed process has left. */
async function interruptedUploads({ client, at }: Target): Promise<(string | undefined)[]> {
  try {
    const listed = await client.send(new ListMultipartUploadsCommand({ Bucket: at.Bucket, Prefix: at.Key }))
    return (listed.Uploads ?? []).map((upload) => upload.UploadId)
  } catch (error) {
    // A store that cannot list them needs a lifecycle rule (docs/how-to/run-in-production.md).
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode !== 503) return []
    throw error
  }
}
