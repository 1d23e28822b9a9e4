/** A step of a course from one amount to another: where its bar starts and how wide it is, in percent. */
export interface Bar {
  readonly start: number
  readonly width: number
}

/**
 * The bars of a course: of the first amount, of each change from where the former one ended, and of the last amount.
 * @param changes in cents, as `first`.
 */
export function barsOf(first: number, changes: readonly number[]): readonly Bar[] {
  const levels = [first]
  for (const change of changes) levels.push((levels.at(-1) ?? 0) + change)
  const [low, high] = [Math.min(0, ...levels), Math.max(0, ...levels)]
  const percent = (amount: number) => (high === low ? 0 : (100 * amount) / (high - low))
  const bar = (from: number, to: number) => ({
    start: percent(Math.min(from, to) - low),
    width: percent(Math.abs(to - from)),
  })
  return [
    bar(0, first),
    ...changes.map((change, index) => bar(levels[index] ?? 0, (levels[index] ?? 0) + change)),
    bar(0, levels.at(-1) ?? 0),
  ]
}
