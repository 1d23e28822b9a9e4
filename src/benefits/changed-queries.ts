/*
 * What changed for a client: SQL over `$1` (client) and `since`, an SQL expression of a timestamp. Each part of a union has one condition,
 * so that it uses its own index. The timestamps are those of the rows that an item shows, and of the entitlement that began to show them.
 */

/** SQL of the CPFs (tax_id) whose rows as members changed, appeared or disappeared. */
export const changedPeople = (since: string) => `
  select m.tax_id from entitlement u join member m on m.company_id = u.company_id
  where u.client_id = $1 and m.updated_at >= ${since}
  union
  select m.tax_id from entitlement u join member m on m.company_id = u.company_id
  where u.client_id = $1 and u.created_at >= ${since}
  union
  select r.tax_id from entitlement u join member_removal r on r.company_id = u.company_id
  where u.client_id = $1 and r.removed_at >= ${since}`

/** SQL of the benefits (company_id, id, member_id) that changed, or whose product or primary did. */
export const changedBenefits = (since: string) => `
  select b.company_id, b.id, b.member_id from entitlement u join benefit b on b.company_id = u.company_id
  where u.client_id = $1 and b.updated_at >= ${since}
  union
  select b.company_id, b.id, b.member_id from entitlement u
  join product p on p.company_id = u.company_id
  join benefit b on b.company_id = p.company_id and b.product_id = p.id
  where u.client_id = $1 and p.updated_at >= ${since}
  union
  select b.company_id, b.id, b.member_id from entitlement u
  join member q on q.company_id = u.company_id
  join benefit b on b.company_id = q.company_id and b.primary_member_id = q.id and b.type = 'dependent'
  where u.client_id = $1 and q.updated_at >= ${since}`

/** SQL of the keys (company_id, id) of benefits that changed, of all that is shown with them. */
export const changedBenefitsOfMembers = (since: string) => `
  select k.company_id, k.id from (${changedBenefits(since)}) k
  union
  select b.company_id, b.id from (${changedPeople(since)}) n
  join member m on m.tax_id = n.tax_id
  join entitlement u on u.client_id = $1 and u.company_id = m.company_id
  join benefit b on b.company_id = m.company_id and b.member_id = m.id`

/** SQL of the CPFs (tax_id) of people whose rows as members or whose benefits changed. */
export const changedMembers = (since: string) => `
  ${changedPeople(since)}
  union
  select m.tax_id from (${changedBenefits(since)}) k join member m on m.company_id = k.company_id and m.id = k.member_id`
