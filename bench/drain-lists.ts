/* A thread that reads lists over and over, so that what reads them does not delay what is measured beside them. */
import { parentPort, workerData } from 'node:worker_threads'
import { drain } from './load.ts'

const { url, path, headers, lists } = workerData as {
  url: string
  path: string
  headers: Record<string, string>
  lists: number
}
let goesOn = true
parentPort?.once('message', () => {
  goesOn = false
})

async function read(): Promise<number> {
  let read = 0
  for (; goesOn; read += 1) await drain(url, path, headers)
  return read
}

const counts = await Promise.all(Array.from({ length: lists }, read))
parentPort?.postMessage(counts.reduce((sum, count) => sum + count, 0))
