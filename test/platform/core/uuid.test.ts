import * as fc from 'fast-check'
import { parse, stringify, validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { idsInOrder, idTexts } from '#platform/core/uuid.ts'

test('ids made at once are UUIDv7 of this moment, each greater than the one before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30_000 }), (count) => {
      const before = Date.now()
      const ids = idsInOrder(count)
      const after = Date.now()
      expect(ids).toHaveLength(count)
      expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
      expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? ''))).toBe(true)
      for (const id of [ids[0], ids.at(-1)]) {
        if (id === undefined) continue
        const madeAt = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
        expect(madeAt).toBeGreaterThanOrEqual(before)
        expect(madeAt).toBeLessThanOrEqual(after)
      }
    }),
    { numRuns: 25 },
  )
})

test('bytes of UUIDs become the texts that the library makes of them', () => {
  const id = fc.uuid().map((text) => parse(text))
  fc.assert(
    fc.property(fc.array(id), (all) => {
      expect(idTexts(Buffer.concat(all))).toEqual(all.map((one) => stringify(one)))
    }),
  )
})
