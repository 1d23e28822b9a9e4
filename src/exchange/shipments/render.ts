import { byCompany } from '#platform/core/by-company.ts'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { Sql } from '#platform/core/database.ts'
import { unavailable } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { NoThreadError, openThreadSession, openThreads, ThreadTimeoutError } from '#platform/core/threads.ts'
import type { BuiltInLayout } from '#registry/rules/layout.ts'
import type { LayoutDefinition } from '#registry/layouts/definition.ts'
import { findLayout, lockLayout } from '#registry/layouts/queries.ts'
import { readContractValues, readStoredMovements } from './movement-records.ts'
import type { SourceValues } from '#registry/layouts/types.ts'
import type { MovementKey } from './joining.ts'
import type { ClosedItems, CloseOptions, ItemPage, OpenItems, RenderRequest, RenderResponse } from './render-thread.ts'

interface LayoutVersion {
  readonly id: string
  /** The version of the layout; a built-in one has 1. */
  readonly version: number
}

interface LayoutOfContract extends LayoutVersion {
  readonly definition: LayoutDefinition
}

/** What a shipment writes of itself into its file. No time: the same movements make the same bytes. */
interface ShipmentHeader {
  readonly number: number
  readonly cutOffDate: string | null
  readonly coverageStart: string | null
}

/** An open shipment in the thread that renders it. */
export interface OpenShipment {
  readonly layout: LayoutVersion
  page(page: ItemPage): Promise<OpenItems>
  close(options: CloseOptions): Promise<ClosedItems>
}

const threads = openThreads({
  file: new URL('./render-thread.ts', import.meta.url),
  max: 2,
  // A transaction that closes a shipment is ended after a minute without a statement.
  maxMs: 30_000,
  maxWaiting: 32,
  // Several times what the largest file needs.
  heapMiB: 512,
})

/**
 * Renders movements, in this order, in the layout of the contract, without one as generic CSV, in a thread that is kept until `work` ends. They are
 * read when there is a thread: of many at once each would take its part of the memory.
 * @throws ApiError 503 without a thread, or when it takes too long.
 */
export async function withRendered<T>(
  sql: Sql,
  companyId: string,
  contractId: string,
  header: ShipmentHeader,
  movements: readonly MovementKey[],
  work: (open: OpenShipment) => Promise<T>,
): Promise<T> {
  const { definition, ...layout } = await readLayoutOf(sql, companyId, contractId)
  const contract = required(await readContractValues(sql, companyId, contractId), 'contract')
  const session = openThreadSession<RenderRequest, RenderResponse>(threads)
  const ask = async <Response>(request: RenderRequest) => (await session.request(request)) as Response
  try {
    await ask({ task: { definition, header: { ...contract, ...headerValues(header) }, movements } })
    for (const [ofCompany, own] of byCompany(movements)) {
      for (let at = 0; at < own.length; at += CHUNK_SIZE) {
        const chunk = own.slice(at, at + CHUNK_SIZE).map(({ id }) => id)
        await ask({ movements: await readStoredMovements(sql, ofCompany, chunk, { companyId, contractId }) })
      }
    }
    return await work({
      layout,
      page: (page) => ask({ page }),
      close: (close) => ask({ close }),
    })
  } catch (error) {
    throw error instanceof NoThreadError || error instanceof ThreadTimeoutError ? unavailable() : error
  } finally {
    session.end()
  }
}

function headerValues({ number, cutOffDate, coverageStart }: ShipmentHeader): SourceValues {
  return {
    'shipment.number': String(number),
    ...(cutOffDate === null ? {} : { 'shipment.cut-off-date': cutOffDate }),
    ...(coverageStart === null ? {} : { 'shipment.coverage-start': coverageStart }),
  }
}

async function readLayoutOf(sql: Sql, companyId: string, contractId: string): Promise<LayoutOfContract> {
  const id = await readLayoutId(sql, companyId, contractId)
  const { version, definition } = required(await findLayout(sql, id), 'layout')
  return { id, version, definition }
}

async function readLayoutId(sql: Sql, companyId: string, contractId: string): Promise<string> {
  const rows = await sql.query<{ id: string | null }>(
    `select layouts->>'movement' as id from contract where company_id = $1 and id = $2`,
    [companyId, contractId],
  )
  return rows[0]?.id ?? genericCsv
}

/** Keeps the layout of a contract as it is until the transaction ends, which makes a file of it. */
export async function lockLayoutOf(sql: Sql, companyId: string, contractId: string): Promise<void> {
  await lockLayout(sql, await readLayoutId(sql, companyId, contractId), 'share')
}

/** The layout of a contract that names none. */
const genericCsv: BuiltInLayout = 'generic-csv'
