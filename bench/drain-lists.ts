/* A thread that reads lists over and over, so that what reads them does not delay what is measured beside them. */
import { workerData } from 'node:worker_threads'
import { drain } from './load.ts'

const { url, path, headers, lists, shared } = workerData as {
  url: string
  path: string
  headers: Record<string, string>
  lists: number
  /** Not 0: enough; how many were read. */
  shared: Int32Array
}

async function read(): Promise<void> {
  while (Atomics.load(shared, 0) === 0) {
    await drain(url, path, headers)
    Atomics.add(shared, 1, 1)
  }
}

await Promise.all(Array.from({ length: lists }, read))
