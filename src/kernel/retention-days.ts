import { RETENTION_PERIODS, type RetentionClass } from './retention-classes.ts'

/** Days by class, as a setting has them; null: without an end. */
export type RetentionSetting = ReadonlyMap<RetentionClass, number | null>

/** The days that data of a class are kept; null: without an end. */
export function retentionDays(setting: RetentionSetting, name: RetentionClass): number | null {
  const days = setting.get(name)
  return days === undefined ? RETENTION_PERIODS[name].days : days
}
