import { serveSession } from '#platform/core/threads.ts'
import type { LayoutDefinition } from '#registry/layouts/definition.ts'
import { movementRecord, type StoredMovement } from './movement-values.ts'
import { renderMovements } from '#registry/layouts/render.ts'
import type { MovementRecord, RenderedFile, SourceValues } from '#registry/layouts/types.ts'
import type { OpenItem } from './items.ts'
import type { MovementKey } from './joining.ts'

interface RenderTask {
  readonly definition: LayoutDefinition
  readonly header: SourceValues
  /** In the order of the file. */
  readonly movements: readonly MovementKey[]
}

/** What is wanted of the items of a status; null: of each. */
export interface ItemPage {
  readonly status: string | null
  readonly limit: number
  readonly offset: number
}

export interface CloseOptions {
  /** false: with items that are not ready there is no file. */
  readonly skipNotReady: boolean
  /** So many items that are not ready are named. */
  readonly maxNamed: number
}

/** First the task, then its movements in parts, then what is wanted. */
export type RenderRequest =
  | { readonly task: RenderTask }
  | { readonly movements: readonly StoredMovement[] }
  | { readonly page: ItemPage }
  | { readonly close: CloseOptions }

/** The items that the open shipment would have now. */
export interface OpenItems {
  readonly ready: number
  readonly notReady: number
  readonly items: readonly OpenItem[]
}

/** The items of a closed shipment; with a file, `items` are those that are in it, else the first that are not ready. */
export interface ClosedItems extends OpenItems {
  readonly file: Omit<RenderedFile, 'items'> | null
}

export type RenderResponse = OpenItems | ClosedItems | null

/** Renders the file of an open shipment, of which it keeps the movements. */
export default serveSession<RenderRequest, RenderResponse>(() => {
  let task: RenderTask = { definition: { format: 'csv', records: [] }, header: {}, movements: [] }
  const records = new Map<string, MovementRecord>()
  return async (request) => {
    if ('task' in request) {
      ;({ task } = request)
      return { response: null }
    }
    if ('movements' in request) {
      for (const record of request.movements.map(movementRecord)) records.set(record.enrollmentId, record)
      return { response: null }
    }
    const movements = task.movements.flatMap(({ id }) => records.get(id) ?? [])
    const open = await render(task, movements)
    return { response: 'page' in request ? pageOf(open, request.page) : await close(task, open, request.close) }
  }
})

interface Open {
  readonly file: RenderedFile
  /** In their order: those with problems are not in the file, and have no place. */
  readonly items: readonly OpenItem[]
  readonly ready: readonly MovementRecord[]
}

async function render(
  { definition, header, movements: keys }: RenderTask,
  movements: readonly MovementRecord[],
): Promise<Open> {
  const file = await renderMovements(definition, header, movements)
  const companies = new Map(keys.map(({ id, companyId }) => [id, companyId]))
  const ready: MovementRecord[] = []
  const items = file.items.map((item, index): OpenItem => {
    const movement = movements[index]
    if (movement !== undefined && item.problems.length === 0) ready.push(movement)
    const position = item.problems.length > 0 ? null : ready.length
    const dependentBenefitIds = (movement?.dependents ?? []).map(({ benefitId }) => benefitId)
    const enrollmentId = movement?.enrollmentId ?? ''
    const companyId = companies.get(enrollmentId) ?? ''
    return { companyId, enrollmentId, position, dependentBenefitIds, ...item }
  })
  return { file, items, ready }
}

const isReady = ({ problems }: OpenItem): boolean => problems.length === 0
const countsOf = ({ items, ready }: Open) => ({ ready: ready.length, notReady: items.length - ready.length })

function pageOf(open: Open, { status, limit, offset }: ItemPage): OpenItems {
  const chosen = open.items.filter((item) => status === null || status === (isReady(item) ? 'ready' : 'not-ready'))
  return { ...countsOf(open), items: chosen.slice(offset, offset + limit) }
}

async function close(task: RenderTask, open: Open, { skipNotReady, maxNamed }: CloseOptions): Promise<ClosedItems> {
  const counts = countsOf(open)
  if (counts.notReady === 0) return { ...counts, ...closed(open) }
  if (!skipNotReady) {
    return { ...counts, items: open.items.filter((item) => !isReady(item)).slice(0, maxNamed), file: null }
  }
  // The places of those that remain are those in the file.
  return { ...counts, ...closed(await render(task, open.ready)) }
}

function closed({ file: { content, mediaType, extension, isTooLarge }, items }: Open) {
  return { items: items.filter(isReady), file: { content, mediaType, extension, isTooLarge } }
}
