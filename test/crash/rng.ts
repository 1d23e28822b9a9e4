/** Seeded random choices (mulberry32). */
export interface Rng {
  /** An integer from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True once in `n` times. */
  oneIn(n: number): boolean
  shuffled<T>(items: readonly T[]): T[]
}

export function rngOf(seed: number): Rng {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between,
    oneIn: (n) => between(1, n) === 1,
    shuffled(items) {
      const left = [...items]
      for (let last = left.length - 1; last > 0; last -= 1) {
        const other = between(0, last)
        ;[left[last], left[other]] = [left[other] as never, left[last] as never]
      }
      return left
    },
  }
}
