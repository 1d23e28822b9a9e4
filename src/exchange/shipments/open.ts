import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { nextCutOff } from '#registry/rules/cut-off.ts'
import { readJoining } from './joining.ts'
import type { ContractOfShipment } from './queries.ts'
import { type OpenShipment, withRendered } from './render.ts'

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

/** Renders the file that an open shipment would have now. @throws ApiError 503 when too many are rendered. */
export async function withOpenShipment<T>(
  sql: Sql,
  shipment: { readonly companyId: string; readonly contractId: string; readonly number: number },
  cutOff: CutOffOfShipment,
  work: (open: OpenShipment) => Promise<T>,
): Promise<T> {
  const { companyId, contractId, number } = shipment
  const movements = await readJoining(sql, companyId, contractId, cutOff.cutOffDate)
  return withRendered(sql, companyId, contractId, { number, ...cutOff }, movements, work)
}
