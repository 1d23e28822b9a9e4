import type { Caller } from '../http/caller.ts'
import type { MemberSelection } from './page-queries.ts'
import { matching, memberColumns, productColumns } from './page-queries.ts'

/** A statement of the list of members, and its values. */
export interface ListStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * How a list is read on its connection: one look-up after the other, in an order that an index or a small sort gives. A plan that
 * joins whole tables would wait for the last row before it tells the first, and planned on stale statistics it takes minutes.
 * Nothing is compiled (jit) and nobody helps: a list is to leave the processors to others.
 */
export const listSettings = `set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off; set enable_bitmapscan = off;
  set jit = off; set max_parallel_workers_per_gather = 0; set datestyle = 'ISO, YMD'`

/** The products of the caller's companies, each with its company's id; null in their places where there are none. No row: client revoked. */
export function scopeStatement(caller: Caller): ListStatement {
  return {
    text: `select t.company_id, ${productColumns}
      from client k
      left join entitlement t on t.client_id = k.id
      left join company c on c.id = t.company_id
      left join product p on p.company_id = t.company_id
      where k.id = $1 and k.kind = 'partner' and k.revoked_at is null`,
    values: [caller.clientId],
  }
}

/**
 * The rows of the persons by CPF, in statements to be read one after the other. Of one company an index has them in order. Of several they
 * have to be sorted, by keys alone; the first hundredth is sorted by itself, so that the first item does not wait for the last.
 * @param companies those of the caller, in the snapshot in which the list is read.
 */
export function memberStatements(
  caller: Caller,
  selection: MemberSelection,
  companies: readonly string[],
): ListStatement[] {
  if (selection.filter !== null) return [matchingStatement(caller, selection)]
  const [only] = companies
  if (only !== undefined && companies.length === 1) return [ofOneCompany(only, selection)]
  return [ofCompanies(caller, cpfBelow01), ofCompanies(caller, cpfFrom01)]
}

// A look-up for each key, whatever the planner believes of how many there are: before it has statistics it would compare all with all.
const memberOfKey = `cross join lateral (select * from member m where m.company_id = l.company_id and m.id = l.id offset 0) m`

/*
 * Of whichever member a row tells, benefits are looked up as the members go by: `offset 0` keeps the planner from beginning with the
 * benefits. Whoever had a benefit at all is a member. Over the alias m (member).
 */
const benefitsOfMember = (shown: string) => `
  cross join lateral (select * from benefit b where b.company_id = m.company_id and b.member_id = m.id ${shown} offset 0) b
  left join member q on q.company_id = b.company_id and q.id = b.primary_member_id`

// Every CPF is below 'A': only a statement that says so may use the index (0015). Keys first, which only that index has at hand: by rows the
// planner may as well go through the CPFs of all tenants.
function ofOneCompany(companyId: string, { includeInactive }: MemberSelection): ListStatement {
  // In one company a row without a benefit to show is a person without one.
  const shown = includeInactive ? '' : `and b.status = 'active'`
  return {
    text: `select ${memberColumns('null')}
      from (
        select m.company_id, m.tax_id, m.id from member m where m.company_id = $1 and m.tax_id < 'A'
        order by m.tax_id offset 0
      ) l
      ${memberOfKey} ${benefitsOfMember(shown)}
      order by l.tax_id`,
    values: [companyId],
  }
}

// CPFs are spread evenly: of a hundred people one comes before '01'. As text, what is not below it is sifted, not sought.
const cpfBelow01 = `m.tax_id < '01'`
const cpfFrom01 = `m.tax_id < 'A' and m.tax_id::text >= '01'`

function ofCompanies(caller: Caller, some: string): ListStatement {
  return {
    text: `select ${memberColumns('exact')}
      from (
        select l.company_id, l.tax_id, l.id
        from entitlement t
        cross join lateral (
          select m.company_id, m.tax_id, m.id from member m where m.company_id = t.company_id and ${some} offset 0
        ) l
        where t.client_id = $1
        order by l.tax_id
        offset 0
      ) l
      ${memberOfKey} ${benefitsOfMember('')}
      order by l.tax_id`,
    values: [caller.clientId],
  }
}

function matchingStatement(caller: Caller, { filter }: MemberSelection): ListStatement {
  const values: unknown[] = [caller.clientId]
  return {
    text: `select ${memberColumns('exact')}
      from (${filter === null ? '' : matching(filter, values)}) w
      join member m on m.tax_id = w.tax_id
      join entitlement t on t.company_id = m.company_id and t.client_id = $1 ${benefitsOfMember('')}
      order by m.tax_id`,
    values,
  }
}
