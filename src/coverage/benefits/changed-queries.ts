/*
 * What changed for a client: SQL over `$1` (client) and `since`, an SQL expression of a timestamp. Each part of a union has one condition,
 * so that it uses its own index. The timestamps are those of the rows that an item shows, and of the entitlement that began to show them.
 */

/** SQL of the CPFs (tax_id) whose rows as members changed, appeared or disappeared. */
const changedPeople = (since: string) => `
  select member.tax_id from entitlement join member on member.company_id = entitlement.company_id
  where entitlement.client_id = $1 and member.updated_at >= ${since}
  union
  select member.tax_id from entitlement join member on member.company_id = entitlement.company_id
  where entitlement.client_id = $1 and entitlement.created_at >= ${since}
  union
  select member_removal.tax_id from entitlement join member_removal on member_removal.company_id = entitlement.company_id
  where entitlement.client_id = $1 and member_removal.removed_at >= ${since}`

/** SQL of the benefits (company_id, id, member_id) that changed, or whose product or primary did. */
const changedBenefits = (since: string) => `
  select benefit.company_id, benefit.id, benefit.member_id from entitlement join benefit on benefit.company_id = entitlement.company_id
  where entitlement.client_id = $1 and benefit.updated_at >= ${since}
  union
  select benefit.company_id, benefit.id, benefit.member_id from entitlement
  join product on product.company_id = entitlement.company_id
  join benefit on benefit.company_id = product.company_id and benefit.product_id = product.id
  where entitlement.client_id = $1 and product.updated_at >= ${since}
  union
  select benefit.company_id, benefit.id, benefit.member_id from entitlement
  join member primary_member on primary_member.company_id = entitlement.company_id
  join benefit on benefit.company_id = primary_member.company_id and benefit.primary_member_id = primary_member.id
    and benefit.type = 'dependent'
  where entitlement.client_id = $1 and primary_member.updated_at >= ${since}`

/** SQL of the keys (company_id, id) of benefits that changed, of all that is shown with them. */
export const changedBenefitsOfMembers = (since: string) => `
  select changed.company_id, changed.id from (${changedBenefits(since)}) changed
  union
  select benefit.company_id, benefit.id from (${changedPeople(since)}) person
  join member on member.tax_id = person.tax_id
  join entitlement on entitlement.client_id = $1 and entitlement.company_id = member.company_id
  join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id`

/** SQL of the CPFs (tax_id) of people whose rows as members or whose benefits changed. */
export const changedMembers = (since: string) => `
  ${changedPeople(since)}
  union
  select member.tax_id from (${changedBenefits(since)}) changed
  join member on member.company_id = changed.company_id and member.id = changed.member_id`
