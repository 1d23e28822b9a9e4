import type { Sql } from '../core/database.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { nextCutOff } from '../domain/cut-off.ts'
import type { OpenItem } from './items.ts'
import { readJoining } from './joining.ts'
import type { ContractOfShipment } from './queries.ts'
import { type RenderedShipment, renderShipment } from './render.ts'

export interface CutOffOfShipment {
  readonly cutOffDate: LocalDate | null
  readonly coverageStart: LocalDate | null
}

/** The cut-off that an open shipment is for; null without a calendar. */
export function cutOffOn(today: LocalDate, { calendar }: Pick<ContractOfShipment, 'calendar'>): CutOffOfShipment {
  if (calendar === null) return { cutOffDate: null, coverageStart: null }
  const next = nextCutOff(calendar, today)
  return { cutOffDate: next['cut-off-date'], coverageStart: next['coverage-start'] }
}

export interface OpenShipment extends RenderedShipment {
  readonly items: readonly OpenItem[]
}

/** The file that an open shipment would have now, and its items: those with problems are not in it. */
export async function renderOpen(
  sql: Sql,
  shipment: { readonly companyId: string; readonly contractId: string; readonly number: number },
  cutOff: CutOffOfShipment,
): Promise<OpenShipment> {
  const { companyId, contractId, number } = shipment
  const ids = await readJoining(sql, companyId, contractId)
  const rendered = await renderShipment(sql, companyId, contractId, { number, ...cutOff }, ids)
  let position = 0
  const items = ids.flatMap((enrollmentId, index): OpenItem[] => {
    const written = rendered.file.items[index]
    if (written === undefined) return []
    const { lineNumbers, problems } = written
    return [{ enrollmentId, position: problems.length > 0 ? null : (position += 1), lineNumbers, problems }]
  })
  return { ...rendered, items }
}
