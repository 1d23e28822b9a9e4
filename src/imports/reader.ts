import { Worker } from 'node:worker_threads'
import { invalidBody } from '../platform/errors.ts'
import { InvariantError } from '../platform/log.ts'
import type { JudgedChunk, ReaderResponse, ReaderRequest, ReaderTask } from './reader-thread.ts'

/** A file being read and judged in a thread of its own, so that the event loop only passes texts on. */
export interface Reading {
  /** Reads on. @returns what facts to ask for (`readImportFacts`), null at the end. @throws ApiError 400 for a bad header. */
  next(): Promise<string | null>
  /** Judges what was read last by its facts; again, when those have changed. */
  judge(facts: string): Promise<JudgedChunk>
  close(): Promise<void>
}

// Several times what a chunk and its facts take; a smaller heap is collected earlier.
const maxHeapMib = 128
const youngHeapMib = 8

/** Starts the thread; one question at a time. */
export function openReader(task: ReaderTask): Reading {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    name: 'import',
    execArgv: [],
    env: {},
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: youngHeapMib },
  })
  let waiting: { resolve: (answer: ReaderResponse) => void; reject: (error: Error) => void } | null = null
  let ended: Error | null = null
  const fail = (error: Error) => {
    ended ??= error
    waiting?.reject(ended)
    waiting = null
  }
  worker.on('message', (answer: ReaderResponse) => {
    waiting?.resolve(answer)
    waiting = null
  })
  worker.on('error', (error) => fail(error as Error))
  worker.on('exit', () => fail(new InvariantError('the thread of an import ended')))
  const ask = (question: ReaderRequest) =>
    new Promise<ReaderResponse>((resolve, reject) => {
      if (ended !== null) {
        reject(ended)
        return
      }
      waiting = { resolve, reject }
      worker.postMessage(question, [])
    })
  return {
    async next() {
      const answer = await ask({ next: true })
      if ('asked' in answer) return answer.asked
      if ('headerError' in answer) throw invalidBody([{ field: 'header', code: answer.headerError }])
      throw failureOf(answer)
    },
    async judge(facts) {
      const answer = await ask({ facts })
      if ('judged' in answer) return answer.judged
      throw failureOf(answer)
    },
    async close() {
      await worker.terminate()
    },
  }
}

/** The frames of the thread's error stand for those of this one: that is what a log keeps. */
function failureOf(answer: ReaderResponse): Error {
  const error = new InvariantError('an import failed in its thread')
  if ('failure' in answer) error.stack = answer.failure
  return error
}
