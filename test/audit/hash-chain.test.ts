import fc from 'fast-check'
import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  checkChain,
  type Finding,
  type Head,
  macOf,
  genesisHash,
  type Block,
  type ChainedRow,
  appendRows,
} from '../../src/audit/hash-chain.ts'
import { scaled } from '../scale.ts'

const key = createHash('sha256').update('a key of the tests').digest()
const rowCount = scaled(2_500, 10_000)
const blockSize = 500

interface Book {
  readonly rows: Map<string, ChainedRow>
  readonly seals: Block[]
  readonly head: Head
}

function rowNumber(n: number): ChainedRow {
  const id = `01995e0c-6f3a-7c52-9d0e-${n.toString(16).padStart(12, '0')}`
  return {
    id,
    at: `2026-11-21T12:00:00.${String(n).padStart(6, '0')}Z`,
    actor: `client-${n % 7}`,
    action: n % 3 === 0 ? 'exclusion.requested' : 'inclusion.requested',
    target: `target-${n}`,
    companyId: n % 2 === 0 ? null : id,
    address: '127.0.0.1',
    traceId: null,
  }
}

function makeBook(count: number, size: number): Book {
  const rows = Array.from({ length: count }, (_, n) => rowNumber(n))
  const seals: Block[] = []
  for (let at = 0; at < count; at += size) {
    const end = {
      position: seals.length + 1,
      previous: seals.at(-1)?.hash ?? genesisHash,
      sealedAt: '2026-11-21T12:00:01.000000Z',
    }
    seals.push(appendRows(key, end, rows.slice(at, at + size)))
  }
  const last = seals.at(-1) as Block
  const end = { position: last.position, hash: last.hash }
  return { rows: new Map(rows.map((row) => [row.id, row])), seals, head: { ...end, mac: macOf(key, end) } }
}

function check(book: Book, expected: string | null = null): Finding[] {
  const run = checkChain(key)
  const found = book.seals.flatMap((seal) => run.see(seal, book.rows))
  const sealed = new Set(book.seals.flatMap((seal) => seal.rowIds))
  const inserted = [...book.rows.keys()].filter((id) => !sealed.has(id))
  return [...found, ...run.end(book.head, expected), ...inserted.map((row) => ({ kind: 'inserted' as const, row }))]
}

const whole = makeBook(rowCount, blockSize)
const ids = [...whole.rows.keys()]
const sealOf = (n: number) => Math.floor(n / blockSize) + 1
const withRows = (change: (rows: Map<string, ChainedRow>) => void): Book => {
  const rows = new Map(whole.rows)
  change(rows)
  return { ...whole, rows }
}
const rowAt = (n: number) => whole.rows.get(ids[n] ?? '') as ChainedRow

test('a chain that nobody touched is intact', () => {
  expect(check(whole)).toEqual([])
  expect(check(whole, whole.seals[3]?.hash.toString('hex') ?? '')).toEqual([])
})

const place = fc.nat({ max: rowCount - 1 })
const field = fc.constantFrom('at', 'actor', 'action', 'target', 'companyId', 'address', 'traceId')

test('any edited one is found, whichever field, and named', () => {
  fc.assert(
    fc.property(place, field, fc.option(fc.string()), (n, name, value) => {
      fc.pre(rowAt(n)[name as 'at'] !== value)
      const book = withRows((rows) => rows.set(ids[n] ?? '', { ...rowAt(n), [name]: value }))
      expect(check(book)).toEqual([{ kind: 'edited', row: ids[n], seal: sealOf(n) }])
    }),
    { numRuns: 15 },
  )
})

test('any removed one is found and named', () => {
  fc.assert(
    fc.property(place, (n) => {
      const book = withRows((rows) => rows.delete(ids[n] ?? ''))
      expect(check(book)).toEqual([{ kind: 'removed', row: ids[n], seal: sealOf(n) }])
    }),
    { numRuns: 15 },
  )
})

test('any two whose contents changed places are found and named', () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      fc.pre(one !== other)
      const book = withRows((rows) => {
        rows.set(ids[one] ?? '', { ...rowAt(other), id: ids[one] ?? '' })
        rows.set(ids[other] ?? '', { ...rowAt(one), id: ids[other] ?? '' })
      })
      const named = check(book).map(({ kind, row }) => [kind, row])
      expect(named.toSorted()).toEqual([one, other].toSorted((a, b) => a - b).map((n) => ['edited', ids[n]]))
    }),
    { numRuns: 15 },
  )
})

test('a row beside those that were sealed is found and named', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const book = withRows((rows) => rows.set(id, { ...rowAt(1), id }))
      expect(check(book)).toEqual([{ kind: 'inserted', row: id }])
    }),
    { numRuns: 10 },
  )
})

const small = makeBook(60, 7)
const anySeal = fc.nat({ max: small.seals.length - 1 })
const changed = (at: number, change: Partial<Block>): Book => ({
  ...small,
  seals: small.seals.map((seal, n) => (n === at ? { ...seal, ...change } : seal)),
})

test('rows that changed places in their seal are found and named', () => {
  fc.assert(
    fc.property(anySeal, fc.nat({ max: 2 }), (at, n) => {
      const seal = small.seals[at] as Block
      const [rowIds, digests] = [[...seal.rowIds], [...seal.digests]]
      rowIds.splice(n, 2, ...rowIds.slice(n, n + 2).toReversed())
      digests.splice(n, 2, ...digests.slice(n, n + 2).toReversed())
      expect(check(changed(at, { rowIds, digests }))).toEqual([
        { kind: 'seal-edited', seal: at + 1 },
        { kind: 'reordered', row: rowIds[n + 1], seal: at + 1 },
      ])
    }),
  )
})

test('a row that was taken out of its seal too is found', () => {
  fc.assert(
    fc.property(anySeal, fc.nat({ max: 3 }), (at, n) => {
      const seal = small.seals[at] as Block
      const left = <T>(list: readonly T[]) => list.filter((_, index) => index !== n)
      const book = changed(at, { rowIds: left(seal.rowIds), digests: left(seal.digests) })
      const rows = new Map(small.rows)
      rows.delete(seal.rowIds[n] ?? '')
      expect(check({ ...book, rows })).toEqual([{ kind: 'seal-edited', seal: at + 1 }])
    }),
  )
})

test('whoever has not the key can make neither a seal nor an end that fits', () => {
  fc.assert(
    fc.property(anySeal, (at) => {
      const guess = randomBytes(32)
      const old = small.seals[at] as Block
      const rows = old.rowIds.map((id) => small.rows.get(id) as ChainedRow)
      const forged = appendRows(
        guess,
        { position: at + 1, previous: old.previous, sealedAt: String(old.sealedAt) },
        rows,
      )
      const kinds = check(changed(at, forged)).map(({ kind }) => kind)
      expect(kinds).toContain('seal-edited')
      const end = { position: small.head.position, hash: small.head.hash }
      expect(check({ ...small, head: { ...end, mac: macOf(guess, end) } })).toEqual([{ kind: 'head-edited' }])
    }),
  )
})

test('missing seals are found, the last ones too', () => {
  fc.assert(
    fc.property(anySeal, (at) => {
      const seals = small.seals.filter((_, n) => n !== at)
      const gone = check({ ...small, seals }).filter(({ kind }) => kind === 'seal-removed')
      expect(gone).toEqual([{ kind: 'seal-removed', seal: at + 1, until: at + 1 }])
    }),
  )
  const [first, second] = small.seals
  expect(check({ ...small, seals: [first as Block, second as Block] })).toContainEqual({
    kind: 'seal-removed',
    seal: 3,
    until: small.seals.length,
  })
})

test('an end put back to an earlier one is found when it was not the key holder who did it', () => {
  const earlier = small.seals[3] as Block
  const cut = { rows: small.rows, seals: small.seals.slice(0, 4) }
  const forged = { position: earlier.position, hash: earlier.hash, mac: small.head.mac }
  expect(check({ ...cut, head: forged })).toContainEqual({ kind: 'head-edited' })
  // An old head that was genuine once: the rows are missed by a head noted elsewhere.
  const end = { position: earlier.position, hash: earlier.hash }
  const rows = new Map([...small.rows].slice(0, 28))
  const restored = { ...cut, rows, head: { ...end, mac: macOf(key, end) } }
  expect(check(restored)).toEqual([])
  expect(check(restored, small.head.hash.toString('hex'))).toEqual([{ kind: 'head-unknown' }])
})
