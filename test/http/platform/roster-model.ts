// A roster in memory, the expected lists of it in the plainest form, and its insertion into the tables.
import { fillOpenMovements } from '../../world/open-movements.ts'
import * as fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { type Company, dental, health, type TestApp, life, premium } from '../../world/test-app.ts'

const productNames = [health, premium, dental, life]

export interface Row {
  /** Index of the company; the last one is another tenant's. */
  readonly company: number
  readonly id: string
  readonly cpf: string
  readonly name: string
  readonly costCenter: string | null
  readonly employeeId: string | null
  readonly made: string
  readonly updated: string
  readonly benefits: readonly { readonly id: string; readonly status: string; readonly start: string }[]
}

export interface Movement {
  readonly id: string
  readonly company: number
  readonly memberId: string
  /** At the time of the movement. */
  readonly cpf: string
  readonly type: string
  readonly status: string
  readonly at: string
}

export interface Roster {
  readonly rows: readonly Row[]
  readonly movements: readonly Movement[]
}

export const costCenters = ['Sede', 'sede', 'A=1', ' B ']
export const employeeIds = ['7', '07', 'E|']
const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}`

/** Ids are random, so that their order is independent of other columns. */
const uuid = fc.uuid({ version: 4 })

const statuses: Record<string, string[]> = {
  inclusion: ['completed', 'rejected', 'cancelled'],
  exclusion: ['completed', 'rejected'],
  alteration: ['created', 'completed', 'pending-documents'],
}

/** Books of so many companies and those people. */
export function rosters(companies: number, cpfs: readonly string[]): fc.Arbitrary<Roster> {
  const company = fc.nat(companies - 1)
  const person = fc.nat(cpfs.length - 1)
  const row = fc.record({
    company,
    person,
    // A corrected CPF keeps its id: the same person elsewhere may have another.
    ownId: fc.option(uuid, { freq: 3 }),
    costCenter: fc.option(fc.constantFrom(...costCenters)),
    employeeId: fc.option(fc.constantFrom(...employeeIds)),
    made: fc.integer({ min: 1, max: 3 }),
    updated: fc.integer({ min: 4, max: 6 }),
    benefits: fc.array(
      fc.record({
        id: uuid,
        status: fc.constantFrom('active', 'active', 'inactive', 'pending'),
        start: fc.integer({ min: 1, max: 2 }),
      }),
      { maxLength: 3 },
    ),
  })
  const movement = fc.record({
    id: uuid,
    company,
    person,
    former: fc.boolean(),
    gone: fc.boolean(),
    type: fc.constantFrom('inclusion', 'exclusion', 'alteration'),
    status: fc.nat(),
    // Around midnight in Sao Paulo.
    at: fc.record({
      day: fc.integer({ min: 10, max: 13 }),
      time: fc.constantFrom('02:59:59.999', '03:00:00.000', '12:00:00.000'),
    }),
  })
  const rows = fc.uniqueArray(row, { maxLength: 14, size: '+1', selector: (one) => `${one.company} ${one.person}` })
  return fc
    .record({
      rows,
      movements: fc.array(movement, { maxLength: 12, size: '+1' }),
      ids: fc.uniqueArray(uuid, { minLength: cpfs.length, maxLength: cpfs.length }),
    })
    .map(({ rows, movements, ids }) => {
      const made = rows.map((one, n): Row => ({
        company: one.company,
        id: one.ownId ?? (ids[one.person] as string),
        cpf: cpfs[one.person] as string,
        name: `Linha ${n}`,
        costCenter: one.costCenter,
        employeeId: one.employeeId,
        made: day(one.made),
        updated: day(one.updated),
        benefits: one.benefits.map((benefit) => ({ ...benefit, start: day(benefit.start) })),
      }))
      return {
        rows: made,
        movements: movements.map((one): Movement => {
          const cpf = cpfs[one.person] as string
          const row = made.find((other) => other.company === one.company && other.cpf === cpf)
          const allowed = statuses[one.type] as string[]
          return {
            id: one.id,
            company: one.company,
            memberId: row === undefined || one.gone ? uuidv7() : row.id,
            cpf: one.former ? (cpfs[(one.person + 1) % cpfs.length] as string) : cpf,
            type: one.type,
            status: allowed[one.status % allowed.length] as string,
            at: `${day(one.at.day)}T${one.at.time}Z`,
          }
        }),
      }
    })
}

/** Replaces the roster in the tables. */
export async function saveRoster(
  testApp: TestApp,
  companies: readonly Company[],
  requestIds: readonly string[],
  roster: Roster,
): Promise<void> {
  const company = (n: number) => companies[n]?.id
  const benefits = roster.rows.flatMap((row) =>
    row.benefits.map((benefit, n) => ({
      ...benefit,
      company: company(row.company),
      member: row.id,
      // One product each: a member has no two in force of one.
      product: companies[row.company]?.products[productNames[n] as string],
    })),
  )
  await testApp.sql('delete from open_movement')
  await testApp.sql('delete from enrollment')
  await testApp.sql('delete from benefit')
  await testApp.sql('delete from member')
  await testApp.sql(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, cost_center, employee_id, created_at, updated_at)
     select company, id, cpf, name, 'Mãe', '1990-01-01', 'male', "costCenter", "employeeId", made, updated
     from json_to_recordset($1::json) as r(company uuid, id uuid, cpf text, name text, "costCenter" text, "employeeId" text,
       made timestamptz, updated timestamptz)`,
    [JSON.stringify(roster.rows.map((row) => ({ ...row, company: company(row.company) })))],
  )
  await testApp.sql(
    `insert into benefit (company_id, id, member_id, product_id, type, status, start_date, end_date, created_at, updated_at)
     select company, id, member, product, 'primary', status, start, '2026-12-31', now(), now()
     from json_to_recordset($1::json) as r(company uuid, id uuid, member uuid, product uuid, status text, start date)`,
    [JSON.stringify(benefits)],
  )
  await testApp.sql(
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, reason, member_id, member_tax_id, member_type,
       product_id, product_name, benefit_id, effective_date, data, initial_status, created_at, updated_at)
     select company, id, request, type, status, 'x', "memberId", cpf, 'primary', product, 'x', id,
       case when type <> 'inclusion' then date '2026-03-01' end, '{}', 'created', at, at
     from json_to_recordset($1::json) as r(company uuid, id uuid, request uuid, type text, status text, "memberId" uuid,
       cpf text, product uuid, at timestamptz)`,
    [
      JSON.stringify(
        roster.movements.map((one) => ({
          ...one,
          company: company(one.company),
          request: requestIds[one.company],
          product: companies[one.company]?.products[health],
        })),
      ),
    ],
  )
  await testApp.sql(fillOpenMovements)
}

export interface MemberTerms {
  readonly taxIds: readonly string[]
  readonly costCenters: readonly string[]
  readonly employeeIds: readonly string[]
}

const by =
  <T>(...keys: ((one: T) => string)[]) =>
  (a: T, b: T): number => {
    const key = keys.find((one) => one(a) !== one(b))
    return key === undefined ? 0 : key(a) < key(b) ? -1 : 1
  }

/** What the lists of a client with these companies show, in short. */
export function modelOf(roster: Roster, companies: readonly Company[], mine: readonly number[]) {
  const idOf = (n: number) => companies[n]?.id ?? ''
  const rows = roster.rows.filter((row) => mine.includes(row.company) && row.benefits.length > 0)
  const firstMade = by<Row>(
    (row) => row.made,
    (row) => idOf(row.company),
  )
  const memberIdOf = (cpf: string) => rows.filter((row) => row.cpf === cpf).toSorted(firstMade)[0]?.id
  return {
    members(terms: MemberTerms | null, includeInactive: boolean) {
      const matches = (row: Row) =>
        terms === null ||
        terms.taxIds.includes(row.cpf) ||
        terms.costCenters.includes(row.costCenter ?? '') ||
        terms.employeeIds.includes(row.employeeId ?? '')
      const cpfs = [...new Set(rows.map((row) => row.cpf))].toSorted()
      return cpfs.flatMap((cpf) => {
        const own = rows.filter((row) => row.cpf === cpf).toSorted(firstMade)
        const latest = Math.max(...own.map((row) => Date.parse(row.updated)))
        const describedCommand = own
          .filter((row) => Date.parse(row.updated) === latest)
          .toSorted(by((row) => idOf(row.company)))[0]
        const benefits = own.flatMap((row) =>
          row.benefits
            .toSorted(
              by(
                (one) => one.start,
                (one) => one.id,
              ),
            )
            .filter((one) => includeInactive || one.status === 'active')
            .map((one) => one.id),
        )
        return own.some(matches) && benefits.length > 0
          ? [{ id: own[0]?.id, name: describedCommand?.name, cpf, benefits }]
          : []
      })
    },
    benefits(company: number | null, cpf: string | null, includeInactive: boolean) {
      return rows
        .filter((row) => (company === null || row.company === company) && (cpf === null || row.cpf === cpf))
        .flatMap((row) => row.benefits.map((one) => ({ ...one, cpf: row.cpf, memberId: memberIdOf(row.cpf) })))
        .filter((one) => includeInactive || one.status === 'active')
        .toSorted(by((one) => one.id))
        .map(({ id, cpf, memberId }) => ({ id, cpf, memberId }))
    },
    movements(filter: {
      company: number | null
      cpf: string | null
      type: string | null
      status: string | null
      from: string | null
      until: string | null
    }) {
      // Sao Paulo has been three hours behind UTC since 2019.
      const dayOf = (at: string) => new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 10)
      const bearer = (one: Movement) =>
        roster.rows.find((row) => row.company === one.company && row.id === one.memberId)?.cpf ?? one.cpf
      return roster.movements
        .filter((one) => mine.includes(one.company))
        .filter((one) => filter.company === null || one.company === filter.company)
        .filter((one) => filter.cpf === null || bearer(one) === filter.cpf)
        .filter((one) => filter.type === null || one.type === filter.type)
        .filter((one) => filter.status === null || one.status === filter.status)
        .filter((one) => filter.from === null || dayOf(one.at) >= filter.from)
        .filter((one) => filter.until === null || dayOf(one.at) <= filter.until)
        .toSorted(
          by(
            (one) => one.at,
            (one) => one.id,
          ),
        )
        .toReversed()
        .map((one) => one.id)
    },
  }
}
