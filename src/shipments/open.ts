import type { Sql } from '../core/database.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { nextCutOff } from '../domain/cut-off.ts'
import type { OpenItem } from './items.ts'
import { readJoining } from './joining.ts'
import type { ContractOfShipment } from './queries.ts'
import { type RenderedShipment, renderShipment } from './render.ts'

interface CutOffOfShipment {
  readonly cutOffDate: LocalDate | null
  readonly coverageStart: LocalDate | null
}

/** The cut-off that an open shipment is for; null without a calendar. */
export function cutOffOn(today: LocalDate, { calendar }: Pick<ContractOfShipment, 'calendar'>): CutOffOfShipment {
  if (calendar === null) return { cutOffDate: null, coverageStart: null }
  const next = nextCutOff(calendar, today)
  return { cutOffDate: next['cut-off-date'], coverageStart: next['coverage-start'] }
}

/** The file that an open shipment would have now. */
export async function renderOpen(
  sql: Sql,
  shipment: { readonly companyId: string; readonly contractId: string; readonly number: number },
  cutOff: CutOffOfShipment,
): Promise<RenderedShipment> {
  const { companyId, contractId, number } = shipment
  const ids = await readJoining(sql, companyId, contractId, cutOff.cutOffDate)
  return renderShipment(sql, companyId, contractId, { number, ...cutOff }, ids)
}

/** Its items, in their order: those with problems are not in it, and have no place. */
export function openItems({ ids, file }: Pick<RenderedShipment, 'ids' | 'file'>): OpenItem[] {
  let position = 0
  return ids.flatMap((enrollmentId, index): OpenItem[] => {
    const item = file.items[index]
    if (item === undefined) return []
    return [{ enrollmentId, position: item.problems.length > 0 ? null : (position += 1), ...item }]
  })
}
