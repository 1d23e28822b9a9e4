import { cpfAt } from '../../data/people.ts'
import type { FieldOfLayout } from '#registry/rules/layout-fields.ts'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ;,"\'=+-@./\\#&<>áéíóúâêôãõçÀÉÜÑº'
const more = { 'utf-8': 'Łœ€李😀’', 'windows-1252': 'œ€’', 'iso-8859-1': '' } as const

/** Random values with a fixed seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const day = () => new Date(Date.UTC(1900 + below(290), below(12), 1 + below(28))).toISOString().slice(0, 10)

  return {
    below,
    pick,
    /** A value of a field; often none. */
    valueOf({ type, values = [] }: FieldOfLayout, encoding: keyof typeof more): string {
      if (below(5) === 0) return ''
      switch (type) {
        case 'date':
          return day()
        case 'money':
          return String(below(10_000_000) - 1000)
        case 'cpf':
          return cpfAt(below(1_000_000))
        case 'code':
          return pick(values.slice(0, 2))
        case 'text': {
          const all = Array.from(letters + more[encoding])
          return (
            Array.from({ length: 1 + below(38) }, () => pick(all))
              .join('')
              .trim() || 'x'
          )
        }
        default:
          return type satisfies never
      }
    },
    /** The bytes with some changed, removed or added; sometimes none of them. */
    changed(content: Uint8Array): Buffer {
      if (below(4) === 0) return Buffer.from(Array.from({ length: below(500) }, () => below(256)))
      const bytes = [...content]
      for (let change = 0; change <= below(8); change += 1)
        bytes.splice(below(bytes.length), below(3), ...(below(2) === 0 ? [below(256)] : []))
      return Buffer.from(bytes)
    },
  }
}
