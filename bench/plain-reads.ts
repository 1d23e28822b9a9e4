/* Reads as one writes them who has the data in front of them and no other thought: the floors of the lists. */
import { type CustomTypesConfig, type Pool, types } from 'pg'

const asText: CustomTypesConfig = {
  getTypeParser(id, format) {
    return id === types.builtins.DATE ? (value: string) => value : types.getTypeParser(id, format)
  },
}

/** Every row of every person, put together and stringified. */
export async function everyMember(pool: Pool, clientId: string): Promise<string> {
  return JSON.stringify({ result: await readMembers(pool, '', [clientId]) })
}

/** One person. */
export async function membersByTaxId(pool: Pool, clientId: string, taxId: string): Promise<string> {
  return JSON.stringify({ result: await readMembers(pool, 'and m.tax_id = $2', [clientId, taxId], 'by-tax-id') })
}

/** Counts, then selects: two statements with the same conditions. */
export async function pageOfMembers(pool: Pool, clientId: string, query: URLSearchParams): Promise<string> {
  const limit = Number(query.get('items-per-page') ?? 20)
  const page = Number(query.get('page') ?? 1)
  const from = `from entitlement t join member m on m.company_id = t.company_id
    join benefit b on b.company_id = m.company_id and b.member_id = m.id and b.status = 'active' where t.client_id = $1`
  const [{ rows }, result] = await Promise.all([
    pool.query<{ total: number }>(`select count(distinct m.tax_id)::int as total ${from}`, [clientId]),
    readMembers(
      pool,
      `and m.tax_id in (select distinct m.tax_id ${from} order by m.tax_id limit ${limit} offset ${(page - 1) * limit})`,
      [clientId],
    ),
  ])
  const total = rows[0]?.total ?? 0
  return JSON.stringify({
    result,
    pagination: { 'current-page': page, 'total-items': total, 'total-pages': Math.ceil(total / limit) },
  })
}

async function readMembers(pool: Pool, condition: string, values: unknown[], name?: string): Promise<unknown[]> {
  const { rows } = await pool.query<MemberRow>({
    ...(name === undefined ? {} : { name }),
    text: memberRows(condition),
    values,
    types: asText,
  })
  const people = new Map<string, { id: string; profile: unknown; benefits: unknown[] }>()
  for (const row of rows) {
    const { member_id, name, mothers_name, date_of_birth, gender, marital_status, tax_id, ...benefit } = row
    let person = people.get(tax_id)
    if (person === undefined) {
      const profile = {
        name,
        'mothers-name': mothers_name,
        'date-of-birth': date_of_birth,
        gender,
        'marital-status': marital_status,
        'tax-id': tax_id,
      }
      people.set(tax_id, (person = { id: member_id, profile, benefits: [] }))
    }
    person.benefits.push(benefit)
  }
  return [...people.values()]
}

type MemberRow = Record<
  'member_id' | 'name' | 'mothers_name' | 'date_of_birth' | 'gender' | 'marital_status' | 'tax_id',
  string
>

const memberRows = (condition: string) => `
  select m.id as member_id, m.name, m.mothers_name, m.date_of_birth, m.gender, m.marital_status, m.tax_id,
    b.id as "benefit-id", b.status, c.tax_id as "company-tax-id", b.product_id as "product-id", p.name as "product-name",
    p.product_type as "product-type", p.carrier_name as "carrier-name", b.type, b.start_date as "start-date",
    b.end_date as "end-date", b.extension_plan as "extension-plan", b.card_number as "card-number",
    b.dependent_type as "dependent-type", q.tax_id as "primary-member-tax-id"
  from entitlement t
  join company c on c.id = t.company_id
  join member m on m.company_id = t.company_id
  join benefit b on b.company_id = m.company_id and b.member_id = m.id and b.status = 'active'
  join product p on p.company_id = b.company_id and p.id = b.product_id
  left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
  where t.client_id = $1 ${condition}
  order by m.tax_id, b.start_date, b.id`

/** SQL of the items of the whole list as JSON, for COPY. */
export const memberItems = (clientId: string) => `
  select json_build_object('id', m.id, 'profile', json_build_object('name', m.name, 'mothers-name', m.mothers_name,
    'date-of-birth', m.date_of_birth, 'gender', m.gender, 'marital-status', m.marital_status, 'tax-id', m.tax_id),
    'benefits', x.items)
  from entitlement t
  join member m on m.company_id = t.company_id
  join (
    select b.company_id, b.member_id, json_agg(json_build_object('benefit-id', b.id, 'status', b.status, 'company-tax-id', c.tax_id,
      'product-id', b.product_id, 'product-name', p.name, 'product-type', p.product_type, 'carrier-name', p.carrier_name,
      'type', b.type, 'start-date', b.start_date, 'end-date', b.end_date, 'extension-plan', b.extension_plan,
      'card-number', b.card_number, 'dependent-type', b.dependent_type, 'primary-member-tax-id', q.tax_id)
      order by b.start_date, b.id) as items
    from benefit b
    join company c on c.id = b.company_id
    join product p on p.company_id = b.company_id and p.id = b.product_id
    left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
    where b.status = 'active' group by b.company_id, b.member_id
  ) x on x.company_id = m.company_id and x.member_id = m.id
  where t.client_id = '${clientId}' order by m.tax_id`

/** Counts, then selects: two statements with the same conditions. */
export async function pageOfInvoices(pool: Pool, clientId: string, query: URLSearchParams): Promise<string> {
  const values: unknown[] = [clientId]
  const placeholder = (value: unknown) => `$${values.push(value)}`
  const from = query.get('from-dt')
  const until = query.get('until-dt')
  const where = `from entitlement t join invoice i on i.company_id = t.company_id join company c on c.id = i.company_id
    where t.client_id = $1 and i.unpaid_due_date is not null
      ${from === null ? '' : `and i.due_date >= ${placeholder(from)}`} ${until === null ? '' : `and i.due_date <= ${placeholder(until)}`}`
  const counted = pool.query<{ total: number }>({ text: `select count(*)::int as total ${where}`, values })
  const limit = Number(query.get('items-per-page') ?? 20)
  const page = Number(query.get('page') ?? 1)
  const items = pool.query({
    text: `select i.id, i.company_id as "company-id", i.invoice_config_id as "invoice-config-id", c.name as "company-name",
        i.carrier_name as "carrier-name", i.amount, i.due_date as "due-date", i.reference_period_start as "reference-period-start",
        i.reference_period_end as "reference-period-end", coalesce((
          select json_agg(json_build_object('file-id', f.file_id, 'name', f.name, 'type', f.type,
            'payment-slip-due-date', f.payment_slip_due_date, 'status', f.status) order by f.created_at, f.file_id)
          from invoice_file f where f.company_id = i.company_id and f.invoice_id = i.id), '[]') as files
      ${where} order by i.due_date, i.id collate "C" limit ${limit} offset ${(page - 1) * limit}`,
    values,
    types: asText,
  })
  const [{ rows }, { rows: result }] = await Promise.all([counted, items])
  const total = rows[0]?.total ?? 0
  return JSON.stringify({
    result,
    pagination: { 'current-page': page, 'total-items': total, 'total-pages': Math.ceil(total / limit) },
  })
}
