import type { FastifyReply, FastifyRequest } from 'fastify'
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

/** Smaller bodies, in bytes or characters, are sent as they are. */
const minLength = 1024
/** Text; files have their length and ranges, and most are compressed already. */
const compressible = /^(application\/(json|x-ndjson)|text\/)/

/** About a megabyte of memory a stream, and the ratio of gzip in less time: the defaults are for files that are compressed once. */
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 },
}

/** In the order of preference. */
const codings = {
  br: { all: promisify(brotliCompress), stream: () => createBrotliCompress(brotliOptions), options: brotliOptions },
  gzip: { all: promisify(gzip), stream: () => createGzip(), options: {} },
} as const

type Coding = keyof typeof codings

/** The coding that `Accept-Encoding` (RFC 9110, 12.5.3) prefers; null: none of ours. */
export function acceptedCoding(header: string | undefined): Coding | null {
  const weights = new Map<string, number>()
  for (const item of header?.split(',') ?? []) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    // A malformed weight excludes the coding.
    if (name !== '') weights.set(name, q === undefined ? 1 : Number(q) || 0)
  }
  const weightOf = (name: Coding) => weights.get(name) ?? weights.get('*') ?? 0
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br'
  return weightOf(best) > 0 ? best : null
}

/** The compressed forms of buffers: only texts that are sent again and again are one, such as `openapi.json`. */
const compressed = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>()

function compressedOnce(payload: Buffer, coding: Coding): Promise<Buffer> {
  const ofPayload = compressed.get(payload) ?? new Map<Coding, Promise<Buffer>>()
  compressed.set(payload, ofPayload)
  const { all, options } = codings[coding]
  const found = ofPayload.get(coding) ?? all(payload, options)
  ofPayload.set(coding, found)
  return found
}

/** Whether the response is long enough, or a stream, of a type that compresses, and not compressed yet. */
export function isCompressible(reply: FastifyReply, payload: unknown): boolean {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (isText ? payload.length < minLength : !isStream(payload) || reply.hasHeader('content-length')) return false
  return compressible.test(String(reply.getHeader('content-type'))) && !reply.hasHeader('content-encoding')
}

const isStream = (payload: unknown): payload is Readable => typeof (payload as Readable | null)?.pipe === 'function'

/** The body of a compressible response in the coding that the client prefers. */
export async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const vary = reply.getHeader('vary')
  void reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
  const coding = acceptedCoding(request.headers['accept-encoding']?.toString())
  if (coding === null) return payload
  void reply.header('content-encoding', coding)
  const { all, stream, options } = codings[coding]
  if (Buffer.isBuffer(payload)) return compressedOnce(payload, coding)
  if (typeof payload === 'string') return all(payload, options)
  // An error of either stream destroys both: the response breaks off, and the connection to the database is released.
  return pipeline(payload as Readable, stream(), () => {})
}
