import type { Caller } from '../access/scope.ts'

/** A statement for a cursor. Its rows are `[item]`, an item's JSON text; one row of null: nobody; no row: client revoked. */
export interface ListStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/*
 * The rows of the caller's companies come in the order of the CPF, and of each person the one made first comes first; benefits
 * are looked up as the persons go by, so that the first item does not wait for the last. `offset 0` keeps the sort below.
 */
const membersOfCaller = `
select people.item
from client k
left join lateral (
  select json_build_object('id', (array_agg(m.id order by m.created_at, m.company_id))[1],
    'profile', (array_agg(json_build_object('name', m.name, 'mothers-name', m.mothers_name,
      'date-of-birth', m.date_of_birth, 'gender', m.gender, 'marital-status', m.marital_status, 'tax-id', m.tax_id)
      order by m.updated_at desc, m.company_id))[1],
    'benefits', ('[' || string_agg(benefits.items, ',' order by m.created_at, m.company_id) || ']')::json)::text as item
  from (
    select m.*, c.tax_id as company_tax_id
    from entitlement t
    join company c on c.id = t.company_id
    join member m on m.company_id = t.company_id
    where t.client_id = k.id
    order by m.tax_id, m.created_at, m.company_id
    offset 0
  ) m
  cross join lateral (
    select count(*) as ever, string_agg(row_to_json(shown)::text, ',' order by shown."start-date", shown."benefit-id")
      filter (where $2 or shown.status = 'active') as items
    from (
      select b.id as "benefit-id", b.status, m.company_tax_id as "company-tax-id", b.product_id as "product-id",
        p.name as "product-name", p.product_type as "product-type", p.carrier_name as "carrier-name", b.type,
        b.start_date as "start-date", b.end_date as "end-date", b.extension_plan as "extension-plan",
        b.card_number as "card-number", b.dependent_type as "dependent-type", primary_member.tax_id as "primary-member-tax-id"
      from benefit b
      join product p on p.company_id = b.company_id and p.id = b.product_id
      left join member primary_member
        on primary_member.company_id = b.company_id and primary_member.id = b.primary_member_id
      where b.company_id = m.company_id and b.member_id = m.id
    ) shown
  ) benefits
  where benefits.ever > 0
  group by m.tax_id
  having count(benefits.items) > 0
  order by m.tax_id
) people on true
where k.id = $1 and k.kind = 'partner' and k.revoked_at is null`

/**
 * The persons of the caller's companies with their benefits, by CPF: profile and id as decided for a person whom several of
 * the companies know. A row without any benefit makes nobody a member.
 */
export function membersStatement(caller: Caller, includeInactive: boolean): ListStatement {
  return { text: membersOfCaller, values: [caller.clientId, includeInactive] }
}
