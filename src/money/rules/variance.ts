/* What became of a forecast once the invoice is read. Pure; amounts are cents. */
import { type ByCertainty, totalOf } from './forecast-causes.ts'

export const VARIANCE_CLASSES = [
  'as-forecast',
  'requested-not-taken',
  'pending-not-taken',
  'scheduled-not-taken',
  'unforeseen',
  'without-person',
] as const
export type VarianceClass = (typeof VARIANCE_CLASSES)[number]

/** The first of what was forecast, from all of it to what was firm, that the invoice charges. */
export function varianceOf(amounts: ByCertainty, found: number, tolerance: number): VarianceClass {
  const all = totalOf(amounts)
  const withoutRequested = all - amounts.requested
  const candidates = [
    ['as-forecast', all],
    ['requested-not-taken', withoutRequested],
    ['pending-not-taken', withoutRequested - amounts['at-carrier']],
    ['scheduled-not-taken', amounts.firm],
  ] as const
  return candidates.find(([, amount]) => Math.abs(found - amount) <= tolerance)?.[0] ?? 'unforeseen'
}
