import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type StoredTable, storedTables } from '#privacy/personal-tables.ts'
import { ended, erase } from '../../world/erasing.ts'
import { holder, ndjson, sendImport } from '../../world/import.ts'
import { type Client, type Company, expectOk, type Json, nextCpf, primary, useTestApp } from '../../world/test-app.ts'
import { openShipper } from '../../world/shipment.ts'

/* A company whose names, addresses, numbers and notes contain each other's: after any erasure the rows of others are those of before but for the plan. */

const testApp = useTestApp({ VIGENCIA_RETENTION: 'benefit=0' })
let second: Client
beforeAll(async () => {
  second = await testApp.operatorOf('admin')
})

const names = ['Ana', 'Ana Lima', 'Mariana Lima', 'Joana', 'Lia', 'Eliana Maria', 'Maria', 'Maria Ana'] as const
const emails = ['ana@acme.com', 'mariana@acme.com', 'ana@acme.com.br', 'joana-ana@acme.com', 'lia@x.com'] as const

interface Person {
  readonly name: string
  readonly email: string
}
const person = fc.record({ name: fc.constantFrom(...names), email: fc.constantFrom(...emails) })
const people = fc.array(person, { minLength: 3, maxLength: 5 })
const piece = fc.oneof(
  fc.constantFrom(...names, ...emails, 'semana', 'Mariana', 'R$', '-', 'x@'),
  fc.nat(4).map((index) => ({ cpf: index })),
)
const notes = fc.array(fc.array(piece, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })

type Piece = string | { readonly cpf: number }
type Rows = Map<string, Json>

/** Tables that workers write by themselves, at any time. */
const queues: readonly StoredTable[] = ['event_batch', 'webhook_fan_out', 'work', 'movement_item', 'movement_money']

/** All other rows of the company, by table and key. */
async function rowsOf(company: Company): Promise<Rows> {
  const rows: Rows = new Map()
  for (const table of storedTables.filter((one) => !queues.includes(one))) {
    const [{ keyed } = { keyed: null }] = await testApp.sql<{ keyed: string | null }>(
      `select string_agg(attname, ', ') as keyed from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
       where indrelid = $1::regclass and indisprimary
         and exists (select from pg_attribute of where of.attrelid = $1::regclass and of.attname = 'company_id')`,
      [table],
    )
    if (keyed === null || keyed === undefined) continue
    const found = await testApp.sql<{ key: string; row: Json }>(
      `select jsonb_build_array(${keyed})::text as key, to_jsonb(${table}) as row from ${table} where company_id = $1`,
      [company.id],
    )
    for (const { key, row } of found) rows.set(`${table} ${key}`, row)
  }
  return rows
}

/** The row without the columns that the plan names. */
function without(row: Json, table: string, id: string, mentions: readonly Json[]): Json {
  const left = { ...row }
  for (const mention of mentions) {
    if (
      mention.record.replaceAll('-', '_') !== table ||
      !mention['record-id'].split(' ').every((part: string) => id.includes(part))
    ) {
      continue
    }
    delete left[mention.field.split(/[.[]/)[0]]
  }
  return left
}

test('after any erasure the rows of others are byte for byte those of before, but for what the plan names', async () => {
  await fc.assert(
    fc.asyncProperty(people, notes, fc.nat(4), async (everybody, texts, index) => {
      const { company, partner } = await openShipper(testApp)
      const cpfs = everybody.map(() => nextCpf())
      const erased = index % everybody.length
      const lines = everybody.map(({ name, email }: Person, at) =>
        holder(company, {
          name,
          'tax-id': cpfs[at],
          'mothers-name': everybody[erased]?.name ?? '',
          'email-corporate': email,
          'employee-id': cpfs[(at + 1) % cpfs.length],
          ...(at === erased ? ended : {}),
        }),
      )
      expectOk(await sendImport(testApp.operator, ndjson(lines)))
      const member = primary({ 'monthly-salary': Number(cpfs[erased]), 'employee-id': `X${cpfs[erased]}` })
      const request = await testApp.include(partner, company, [member])
      const [state] = Object.values<Json>(request['status-by-tax-id'][member['tax-id']])
      const notes = texts.map((text) =>
        text.map((one: Piece) => (typeof one === 'string' ? one : cpfs[one.cpf % cpfs.length])).join(' '),
      )
      for (const text of notes) {
        expectOk(await testApp.operator.post(`/operator/v1/enrollment/${state['enrollment-id']}/note`, { text }))
      }
      await testApp.sql(
        `insert into closing (company_id, id, reference_month, status, acts, created_at, updated_at) values ($1, $2, '2026-09', 'open', $3, now(), now())`,
        [company.id, randomUUID(), JSON.stringify([{ reason: notes.join(' '), amount: Number(cpfs[erased]) }])],
      )
      const [own] = await testApp.sql<{ id: string }>('select id from member where company_id = $1 and tax_id = $2', [
        company.id,
        cpfs[erased],
      ])
      const before = await rowsOf(company)
      const { plan } = await erase(testApp, second, cpfs[erased] ?? '')
      const after = await rowsOf(company)
      const isOwn = (key: string, row: Json) => key.startsWith(`member `) && row.id === own?.id
      for (const [key, row] of before) {
        const [table = ''] = key.split(' ')
        if (isOwn(key, row) || row.member_id === own?.id || table === 'member_removal') continue
        const [was, is] = [row, after.get(key)].map((one) => without(one, table, key, plan.mentions))
        expect({ key, row: is }).toEqual({ key, row: was })
      }
    }),
    { seed: 20261128, numRuns: 6, endOnFailure: true },
  )
})
