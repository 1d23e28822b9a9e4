import type { Sql } from '#platform/core/database.ts'
import { InvariantError } from '#platform/core/log.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { keepHolds } from '#registry/legal-holds/queries.ts'
import { memberIds } from './member-id.ts'

/*
 * The statements that write members. Their rows come from a query with its values, so that items of batches are not read into the process.
 * Registration data is JSON in wire keys.
 */

/** A query and the values of its parameters. */
interface Query {
  readonly text: string
  readonly values: readonly unknown[]
  /** How many rows, where no array of `values` says it. */
  readonly rows?: number
}

/** The registration fields that are columns, with their types; `details` holds the others. A column has underscores for hyphens. */
const columnFields = [
  ['name', 'text'],
  ['mothers-name', 'text'],
  ['date-of-birth', 'date'],
  ['gender', 'text'],
  ['marital-status', 'text'],
  ['admission-date', 'date'],
  ['employee-id', 'text'],
  ['cost-center', 'text'],
  ['salary', 'bigint'],
].map(([field = '', type = '']) => ({ field, type, column: field.replaceAll('-', '_') }))

const columns = columnFields.map(({ column }) => column).join(', ')
const valuesOfData = columnFields.map(({ field, type }) => `(data->>'${field}')::${type}`)
const detailsOfData = `data - array['tax-id', 'documents', ${columnFields.map(({ field }) => `'${field}'`).join(', ')}]`

/** SQL: the registration data of a row of `member` as JSON in wire keys, without the fields that are null. */
export const registrationJson = (alias: string) => `(${alias}.details || jsonb_strip_nulls(jsonb_build_object(
  'tax-id', ${alias}.tax_id, ${columnFields.map(({ field, column }) => `'${field}', ${alias}.${column}`).join(', ')})))`

export interface InsertedMember {
  readonly companyId: string
  readonly id: string
  readonly taxId: string
}

/** More ids than a CPF ever has in a company: each one but the last belongs to a person whose CPF was corrected. */
const maxIds = 100

/**
 * Inserts those of the people who are not members of their company. The id is the given one, else the first of `memberIds`; if a member
 * whose CPF was corrected has it already, the next of `memberIds`.
 * @param people rows of company_id, tax_id, id (may be null) and data; each person of a company once.
 * @returns those inserted, without people whom another transaction inserted meanwhile.
 */
export async function insertMembers(sql: Sql, memberKey: Buffer, at: Date, people: Query): Promise<InsertedMember[]> {
  const inserted: InsertedMember[] = []
  for (let n = 0; n <= maxIds; n += 1) {
    const unknown = await sql.query<{ key: string; taxId: string; id: string | null }>(
      `with person as materialized (${people.text}), known as materialized (
         select member.company_id, member.tax_id from person
         join member on member.company_id = person.company_id and member.tax_id = person.tax_id
       )
       select company_id || tax_id as key, tax_id as "taxId", id from person
       where not exists (select 1 from known where known.company_id = person.company_id and known.tax_id = person.tax_id)`,
      people.values,
      people.rows,
    )
    if (unknown.length === 0) return inserted
    const hashed = memberIds(
      memberKey,
      unknown.map(({ taxId }) => taxId),
      n,
    )
    const ids = Object.fromEntries(unknown.map(({ key, id }, index) => [key, (n === 0 ? id : null) ?? hashed[index]]))
    const parameters = new Parameters(...people.values)
    const idOfKey = `${parameters.add(JSON.stringify(ids))}::jsonb`
    const now = `${parameters.add(at)}::timestamptz`
    const rows = await sql.query<InsertedMember>(
      `insert into member (company_id, id, tax_id, ${columns}, details, created_at, updated_at)
       select company_id, (${idOfKey} ->> (company_id || tax_id))::uuid, tax_id, ${valuesOfData.join(', ')}, ${detailsOfData},
         ${now}, ${now}
       from (${people.text}) person
       where ${idOfKey} ? (company_id || tax_id)
       on conflict do nothing
       returning company_id as "companyId", id, tax_id as "taxId"`,
      parameters.values,
      unknown.length,
    )
    inserted.push(...rows)
    if (rows.length === unknown.length) return inserted
  }
  throw new InvariantError('a hundred ids of one CPF belong to other members')
}

/**
 * Updates members' registration data.
 * @param changes rows of company_id, id and data.
 * @param mode `merge` changes the fields that data has, `replace` all of them; the CPF changes only where data has one.
 */
export async function updateMembers(
  sql: Sql,
  at: Date,
  changes: Query,
  mode: 'merge' | 'replace' = 'merge',
): Promise<void> {
  const isMerge = mode === 'merge'
  const sets = columnFields.map(({ column }) =>
    isMerge ? `${column} = coalesce(changed.${column}, member.${column})` : `${column} = changed.${column}`,
  )
  // Cast before: in an update Citus takes immutable expressions of columns only.
  const cast = columnFields.map(({ column }, index) => `${valuesOfData[index]} as ${column}`)
  const parameters = new Parameters(...changes.values)
  const now = `${parameters.add(at)}::timestamptz`
  const corrected = await sql.query<{ id: string; taxId: string }>(
    `select member.id, member.tax_id as "taxId" from (${changes.text}) change
     join member on member.company_id = change.company_id and member.id = change.id
     where (change.data->>'tax-id')::bpchar <> member.tax_id`,
    changes.values,
    changes.rows,
  )
  await keepHolds(sql, corrected)
  await sql.query(
    `with change as materialized (${changes.text}), changed as materialized (
       select company_id, id, (data->>'tax-id')::bpchar as tax_id, ${cast.join(', ')}, ${detailsOfData} as details from change
     ), removal as (${insertRemovals(
       now,
       `
       join changed on changed.company_id = member.company_id and changed.id = member.id
       where changed.tax_id <> member.tax_id`,
     )}), former_cost_center as (
       insert into member_cost_center (company_id, member_id, changed_at, cost_center)
       select member.company_id, member.id, ${now}, member.cost_center from member
       join changed on changed.company_id = member.company_id and changed.id = member.id
       where ${isMerge ? "changed.cost_center <> coalesce(member.cost_center, '')" : 'changed.cost_center is distinct from member.cost_center'}
       on conflict do nothing
     )
     update member set tax_id = coalesce(changed.tax_id, member.tax_id), ${sets.join(', ')},
       details = ${isMerge ? 'member.details || ' : ''}changed.details, updated_at = ${now},
       tax_id_corrected_at = case when changed.tax_id <> member.tax_id then ${now} else member.tax_id_corrected_at end
     from changed
     where member.company_id = changed.company_id and member.id = changed.id`,
    parameters.values,
    changes.rows,
  )
}

/** SQL that records people whose CPF, or one of whose benefits, the lists no longer show, for `updated-since`. @param of continues `from member`. */
const insertRemovals = (at: string, of: string) => `insert into member_removal (company_id, tax_id, removed_at)
  select distinct member.company_id, member.tax_id, ${at} from member ${of}
  order by 1, 2
  on conflict (company_id, tax_id) do update set removed_at = greatest(member_removal.removed_at, excluded.removed_at)`

/** Records that benefits of the members were deleted. Call it before the members are. */
export async function recordDeletedBenefits(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return
  const members = 'where company_id = $1 and id = any($2::uuid[])'
  await sql.query(insertRemovals('$3::timestamptz', members), [companyId, ids, at])
}

/**
 * Deletes those of the members who have no benefit of any status and no dependent's benefit. Who is in the figures of a closed month or in an export of
 * payroll stays: what was deducted is given back by name.
 */
export async function deleteMembersWithoutBenefit(sql: Sql, companyId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const lock = 'select from member where company_id = $1 and id = any($2::uuid[]) order by id for update'
  await sql.query(lock, [companyId, ids])
  // A second statement, after the lock, sees the benefits that were committed during the wait.
  await sql.execute(
    `with deleted as (
       delete from member where company_id = $1 and id = any($2::uuid[])
         and id <> all(array(
           select member_id from benefit where company_id = $1 and member_id = any($2::uuid[])
           union
           select primary_member_id from benefit where company_id = $1 and primary_member_id = any($2::uuid[])
           union
           select member_id from closing_expected where company_id = $1 and member_id = any($2::uuid[])
           union
           select unnest(array[member_id, employee_member_id]) from closing_charge
           where company_id = $1 and (member_id = any($2::uuid[]) or employee_member_id = any($2::uuid[]))
           union
           select member_id from payroll_export_line where company_id = $1 and member_id = any($2::uuid[])))
       returning id
     ), leave as (
       delete from unpaid_leave where company_id = $1 and member_id in (select id from deleted)
     )
     delete from member_cost_center where company_id = $1 and member_id in (select id from deleted)`,
    [companyId, ids],
  )
}
