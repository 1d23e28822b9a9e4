import type { Config } from '../core/config.ts'
import { RETENTION_PERIODS, type RetentionClass } from '../domain/retention-classes.ts'

/** The days that data of a class are kept; null: without an end. */
export function retentionDays({ retention }: Pick<Config, 'retention'>, name: RetentionClass): number | null {
  const days = retention.get(name)
  return days === undefined ? RETENTION_PERIODS[name].days : days
}
