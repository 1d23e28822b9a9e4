import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface S3Rver {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

type Constructor = new (options: Record<string, unknown>) => S3Rver

// The package has no types of its own.
const S3rver = createRequire(import.meta.url)('s3rver') as Constructor

export interface S3Store {
  /** For VIGENCIA_STORAGE_URL. */
  readonly url: string
  /** How many parts have come of uploads that have not ended. */
  partsWaiting(): Promise<number>
  /** Stops the server; `start` serves the same files at the same address again. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** A real S3 server on loopback, empty, with one bucket. */
export async function startS3(): Promise<S3Store> {
  const directory = await mkdtemp(join(tmpdir(), 'vigencia-s3-'))
  const serverOn = (port: number) =>
    new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name: 'vigencia' }] })
  let server = serverOn(0)
  const { port } = await server.run()
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/vigencia/files?protocol=http`,
    async partsWaiting() {
      const files = await readdir(directory, { recursive: true })
      return files.filter((name) => /_uploads\/[0-9a-f]+\/\d+$/.test(name)).length
    },
    stop: () => server.close(),
    async start() {
      server = serverOn(port)
      await server.run()
    },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
