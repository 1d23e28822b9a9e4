import type { Sql } from '../core/database.ts'
import { required } from '../core/log.ts'
import type { BuiltInLayout } from '../domain/layout.ts'
import type { LayoutDefinition } from '../layouts/definition.ts'
import { findLayout, lockLayout } from '../layouts/queries.ts'
import { readContractValues, readMovementRecords } from '../layouts/read-movements.ts'
import { renderMovements } from '../layouts/render.ts'
import type { MovementRecord, RenderedFile, SourceValues } from '../layouts/types.ts'

interface LayoutVersion {
  readonly id: string
  /** Of a built-in layout 1. */
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

/** A file, and what it was made of. */
export interface RenderedShipment {
  readonly layout: LayoutVersion
  /** In the order of the ids. */
  readonly ids: readonly string[]
  readonly file: RenderedFile
  /** The file without the movements that have problems; the places of the others are those in the file. */
  withoutProblems(): Promise<RenderedShipment>
}

/** Writes movements, in this order, in the layout of the contract; without one as generic CSV. */
export async function renderShipment(
  sql: Sql,
  companyId: string,
  contractId: string,
  header: ShipmentHeader,
  ids: readonly string[],
): Promise<RenderedShipment> {
  const layout = await readLayoutOf(sql, companyId, contractId)
  const contract = required(await readContractValues(sql, companyId, contractId), 'contract')
  const records = new Map(
    (await readMovementRecords(sql, companyId, ids, contractId)).map((one) => [one.enrollmentId, one]),
  )
  const values = { ...contract, ...headerValues(header) }
  const movements = ids.map((id) => required(records.get(id), 'movement'))
  return render(layout, values, movements)
}

async function render(
  layout: LayoutOfContract,
  header: SourceValues,
  movements: readonly MovementRecord[],
): Promise<RenderedShipment> {
  const file = await renderMovements(layout.definition, header, movements)
  return {
    layout,
    ids: movements.map(({ enrollmentId }) => enrollmentId),
    file,
    withoutProblems: () =>
      render(
        layout,
        header,
        movements.filter((_, index) => file.items[index]?.problems.length === 0),
      ),
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
