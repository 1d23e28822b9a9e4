import { Worker } from 'node:worker_threads'
import { invalidBody } from '../platform/errors.ts'
import { InvariantError } from '../platform/log.ts'
import { threadEnvironment } from '../platform/thread-environment.ts'
import type { JudgedChunk, NextChunk, ReaderResponse, ReaderRequest, ReaderTask } from './reader-thread.ts'

/** A file that is read and judged in a worker thread. */
export interface Reader {
  /** Reads the next chunk. @throws ApiError 400 for a file whose header cannot be used. */
  next(): Promise<NextChunk>
  /** Judges the chunk that was read last; called again when its facts have changed. */
  judge(facts: string): Promise<JudgedChunk>
  close(): Promise<void>
}

// Several times the size of a chunk and its facts; a smaller limit makes garbage collection start earlier.
const maxHeapMib = 128
const youngHeapMib = 8

/** Starts the thread; it takes one request at a time. */
export function openReader(task: ReaderTask): Reader {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    name: 'import',
    execArgv: [],
    env: threadEnvironment(),
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: youngHeapMib },
  })
  let waiting: { resolve: (response: ReaderResponse) => void; reject: (error: Error) => void } | null = null
  let ended: Error | null = null
  const fail = (error: Error) => {
    ended ??= error
    waiting?.reject(ended)
    waiting = null
  }
  worker.on('message', (response: ReaderResponse) => {
    waiting?.resolve(response)
    waiting = null
  })
  worker.on('error', (error) => fail(error as Error))
  worker.on('exit', () => fail(new InvariantError('the thread of an import ended')))
  const send = (request: ReaderRequest) =>
    new Promise<ReaderResponse>((resolve, reject) => {
      if (ended !== null) {
        reject(ended)
        return
      }
      waiting = { resolve, reject }
      worker.postMessage(request, [])
    })
  return {
    async next() {
      const response = await send({ next: true })
      if ('people' in response) return response
      if ('headerErrors' in response) throw invalidBody(response.headerErrors)
      throw errorOf(response)
    },
    async judge(facts) {
      const response = await send({ facts })
      if ('judged' in response) return response.judged
      throw errorOf(response)
    },
    async close() {
      await worker.terminate()
    },
  }
}

/** An error with the stack of the thread's error, for the log. */
function errorOf(response: ReaderResponse): Error {
  const error = new InvariantError('an import failed in its thread')
  if ('errorStack' in response) error.stack = response.errorStack
  return error
}
