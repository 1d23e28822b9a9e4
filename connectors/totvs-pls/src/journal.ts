import { type FileHandle, mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, Shipment } from './shipment.ts'

/** A step of a task, which is named by the enrollment of its first item. */
type Entry =
  | { readonly step: 'received'; readonly shipment: Shipment }
  /** Written before a call: after a crash it is looked up whether the carrier has it. */
  | { readonly step: 'sending'; readonly task: string }
  | { readonly step: 'sent'; readonly task: string; readonly pk: string | null; readonly protocol: string | null }
  | { readonly step: 'decided'; readonly task: string; readonly outcomes: readonly Outcome[] }
  | { readonly step: 'acknowledged'; readonly task: string }
  | { readonly step: 'finished'; readonly 'file-sha256': string }

/** How far a task is. */
export interface Progress {
  isSending?: boolean
  sent?: { readonly pk: string | null; readonly protocol: string | null }
  outcomes?: readonly Outcome[]
  isAcknowledged?: boolean
}

/**
 * What became of a shipment: a file of JSON lines, synchronized to the disk at each line. Once all is acknowledged, no data of people stay in it.
 */
export class Journal {
  readonly fileSha256: string
  /** null: it is finished. */
  readonly shipment: Shipment | null
  readonly #path: string
  readonly #tasks: Map<string, Progress>
  #file: FileHandle | null = null

  private constructor(path: string, entries: readonly Entry[]) {
    const [first] = entries
    if (first?.step !== 'received' && first?.step !== 'finished') throw new Error(`${path} is no journal`)
    this.#path = path
    this.shipment = first.step === 'received' ? first.shipment : null
    this.fileSha256 = first.step === 'received' ? first.shipment['file-sha256'] : first['file-sha256']
    this.#tasks = new Map()
    for (const entry of entries) this.#apply(entry)
  }

  /** Stores a shipment. */
  static async create(folder: string, shipment: Shipment): Promise<Journal> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = pathOf(folder, shipment['shipment-id'])
    const first: Entry = { step: 'received', shipment }
    await replace(folder, path, first)
    return new Journal(path, [first])
  }

  /** null: the shipment was not received. */
  static async read(folder: string, shipmentId: string): Promise<Journal | null> {
    const path = pathOf(folder, shipmentId)
    const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (content === null) return null
    // A crash may leave half of the last line.
    const lines = content.slice(0, content.lastIndexOf('\n') + 1)
    if (lines.length < content.length) await truncate(path, Buffer.byteLength(lines))
    return new Journal(
      path,
      lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Entry),
    )
  }

  /** The ids of the shipments that were received. */
  static async list(folder: string): Promise<string[]> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const names = await readdir(folder)
    return names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))
  }

  progress(task: string): Progress {
    return this.#tasks.get(task) ?? {}
  }

  async append(entry: Entry): Promise<void> {
    this.#file ??= await open(this.#path, 'a', 0o600)
    await this.#file.appendFile(`${JSON.stringify(entry)}\n`)
    await this.#file.sync()
    this.#apply(entry)
  }

  /** Forgets the people: the carrier has answered for all, and the service knows it. */
  async finish(folder: string): Promise<void> {
    await this.close()
    await replace(folder, this.#path, { step: 'finished', 'file-sha256': this.fileSha256 })
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = null
  }

  #apply(entry: Entry): void {
    if (!('task' in entry)) return
    const progress = this.#tasks.get(entry.task) ?? {}
    this.#tasks.set(entry.task, progress)
    switch (entry.step) {
      case 'sending':
        progress.isSending = true
        break
      case 'sent':
        progress.sent = { pk: entry.pk, protocol: entry.protocol }
        break
      case 'decided':
        progress.outcomes = entry.outcomes
        break
      case 'acknowledged':
        progress.isAcknowledged = true
        break
      default:
        entry satisfies never
    }
  }
}

function pathOf(folder: string, shipmentId: string): string {
  return join(folder, `${shipmentId}.jsonl`)
}

async function truncate(path: string, length: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.truncate(length)
  await file.close()
}

/** Writes a file of one line, complete or not at all. */
async function replace(folder: string, path: string, entry: Entry): Promise<void> {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
  await file.writeFile(`${JSON.stringify(entry)}\n`)
  await file.sync()
  await file.close()
  await rename(temporary, path)
  const opened = await open(folder)
  await opened.sync()
  await opened.close()
}
