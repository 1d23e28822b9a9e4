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
  makeBlock,
} from '#access/audit/hash-chain.ts'
import { scaled } from '../../scale.ts'

const key = createHash('sha256').update('test key').digest()
const rowCount = scaled(2_500, 10_000)
const blockSize = 500

interface Chain {
  readonly rows: Map<string, ChainedRow>
  readonly blocks: Block[]
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

function makeChain(count: number, size: number): Chain {
  const rows = Array.from({ length: count }, (_, n) => rowNumber(n))
  const blocks: Block[] = []
  for (let at = 0; at < count; at += size) {
    const end = {
      position: blocks.length + 1,
      previous: blocks.at(-1)?.hash ?? genesisHash,
      createdAt: '2026-11-21T12:00:01.000000Z',
    }
    blocks.push(makeBlock(key, end, rows.slice(at, at + size)))
  }
  const last = blocks.at(-1) as Block
  const end = { position: last.position, hash: last.hash }
  return { rows: new Map(rows.map((row) => [row.id, row])), blocks, head: { ...end, mac: macOf(key, end) } }
}

function check(chain: Chain, expected: string | null = null): Finding[] {
  const run = checkChain(key, expected)
  const found = chain.blocks.flatMap((block) => run.addBlock(block, chain.rows))
  const chained = new Set(chain.blocks.flatMap((block) => block.rowIds))
  const inserted = [...chain.rows.keys()].filter((id) => !chained.has(id))
  return [...found, ...run.end(chain.head), ...inserted.map((row) => ({ kind: 'inserted' as const, row }))]
}

const whole = makeChain(rowCount, blockSize)
const ids = [...whole.rows.keys()]
const blockOf = (n: number) => Math.floor(n / blockSize) + 1
const withRows = (change: (rows: Map<string, ChainedRow>) => void): Chain => {
  const rows = new Map(whole.rows)
  change(rows)
  return { ...whole, rows }
}
const rowAt = (n: number) => whole.rows.get(ids[n] ?? '') as ChainedRow

test('the check finds an unchanged chain intact', () => {
  expect(check(whole)).toEqual([])
  expect(check(whole, whole.blocks[3]?.hash.toString('hex') ?? '')).toEqual([])
})

const index = fc.nat({ max: rowCount - 1 })
const field = fc.constantFrom('at', 'actor', 'action', 'target', 'companyId', 'address', 'traceId')

test('the check names an edited row, whatever the field', () => {
  fc.assert(
    fc.property(index, field, fc.option(fc.string()), (n, name, value) => {
      fc.pre(rowAt(n)[name as 'at'] !== value)
      const chain = withRows((rows) => rows.set(ids[n] ?? '', { ...rowAt(n), [name]: value }))
      expect(check(chain)).toEqual([{ kind: 'edited', row: ids[n], block: blockOf(n) }])
    }),
    { numRuns: 15 },
  )
})

test('the check names a removed row', () => {
  fc.assert(
    fc.property(index, (n) => {
      const chain = withRows((rows) => rows.delete(ids[n] ?? ''))
      expect(check(chain)).toEqual([{ kind: 'removed', row: ids[n], block: blockOf(n) }])
    }),
    { numRuns: 15 },
  )
})

test('the check names two rows whose contents were swapped', () => {
  fc.assert(
    fc.property(index, index, (one, other) => {
      fc.pre(one !== other)
      const chain = withRows((rows) => {
        rows.set(ids[one] ?? '', { ...rowAt(other), id: ids[one] ?? '' })
        rows.set(ids[other] ?? '', { ...rowAt(one), id: ids[other] ?? '' })
      })
      const named = check(chain).map(({ kind, row }) => [kind, row])
      expect(named.toSorted()).toEqual([one, other].toSorted((a, b) => a - b).map((n) => ['edited', ids[n]]))
    }),
    { numRuns: 15 },
  )
})

test('the check names a row that is in no block', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const chain = withRows((rows) => rows.set(id, { ...rowAt(1), id }))
      expect(check(chain)).toEqual([{ kind: 'inserted', row: id }])
    }),
    { numRuns: 10 },
  )
})

const small = makeChain(60, 7)
const anyBlock = fc.nat({ max: small.blocks.length - 1 })
const changed = (at: number, change: Partial<Block>): Chain => ({
  ...small,
  blocks: small.blocks.map((block, n) => (n === at ? { ...block, ...change } : block)),
})

test('the check names rows that were swapped within their block', () => {
  fc.assert(
    fc.property(anyBlock, fc.nat({ max: 2 }), (at, n) => {
      const block = small.blocks[at] as Block
      const [rowIds, digests] = [[...block.rowIds], [...block.digests]]
      rowIds.splice(n, 2, ...rowIds.slice(n, n + 2).toReversed())
      digests.splice(n, 2, ...digests.slice(n, n + 2).toReversed())
      expect(check(changed(at, { rowIds, digests }))).toEqual([
        { kind: 'block-edited', block: at + 1 },
        { kind: 'reordered', row: rowIds[n + 1], block: at + 1 },
      ])
    }),
  )
})

test('the check finds a row that was removed together with its digest', () => {
  fc.assert(
    fc.property(anyBlock, fc.nat({ max: 3 }), (at, n) => {
      const block = small.blocks[at] as Block
      const left = <T>(list: readonly T[]) => list.filter((_, index) => index !== n)
      const chain = changed(at, { rowIds: left(block.rowIds), digests: left(block.digests) })
      const rows = new Map(small.rows)
      rows.delete(block.rowIds[n] ?? '')
      expect(check({ ...chain, rows })).toEqual([{ kind: 'block-edited', block: at + 1 }])
    }),
  )
})

test('without the key nobody can make a valid block or head', () => {
  fc.assert(
    fc.property(anyBlock, (at) => {
      const guess = randomBytes(32)
      const old = small.blocks[at] as Block
      const rows = old.rowIds.map((id) => small.rows.get(id) as ChainedRow)
      const forged = makeBlock(
        guess,
        { position: at + 1, previous: old.previous, createdAt: String(old.createdAt) },
        rows,
      )
      const kinds = check(changed(at, forged)).map(({ kind }) => kind)
      expect(kinds).toContain('block-edited')
      const end = { position: small.head.position, hash: small.head.hash }
      expect(check({ ...small, head: { ...end, mac: macOf(guess, end) } })).toEqual([{ kind: 'head-edited' }])
    }),
  )
})

test('the check finds missing blocks, also at the end', () => {
  fc.assert(
    fc.property(anyBlock, (at) => {
      const blocks = small.blocks.filter((_, n) => n !== at)
      const gone = check({ ...small, blocks }).filter(({ kind }) => kind === 'block-removed')
      expect(gone).toEqual([{ kind: 'block-removed', block: at + 1, until: at + 1 }])
    }),
  )
  const [first, second] = small.blocks
  expect(check({ ...small, blocks: [first as Block, second as Block] })).toContainEqual({
    kind: 'block-removed',
    block: 3,
    until: small.blocks.length,
  })
})

test('the check finds an earlier head that was put back without the key', () => {
  const earlier = small.blocks[3] as Block
  const cut = { rows: small.rows, blocks: small.blocks.slice(0, 4) }
  const forged = { position: earlier.position, hash: earlier.hash, mac: small.head.mac }
  expect(check({ ...cut, head: forged })).toContainEqual({ kind: 'head-edited' })
  // An earlier head with a valid MAC: only the expected head shows the missing rows.
  const end = { position: earlier.position, hash: earlier.hash }
  const rows = new Map([...small.rows].slice(0, 28))
  const restored = { ...cut, rows, head: { ...end, mac: macOf(key, end) } }
  expect(check(restored)).toEqual([])
  expect(check(restored, small.head.hash.toString('hex'))).toEqual([{ kind: 'head-unknown' }])
})
