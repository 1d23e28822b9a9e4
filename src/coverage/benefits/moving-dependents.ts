/**
 * SQL: the benefits of dependents in the company $1 whom a plan or company change of the benefit `altered` transfers with their primary's: they are
 * active, and do not end before it.
 * @param altered SQL of its row. @param day SQL of the day.
 */
export const movingDependents = (altered: string, day: string): string => `benefit dependent_benefit
  where ${altered}.type = 'primary' and dependent_benefit.company_id = $1
    and dependent_benefit.primary_member_id = ${altered}.member_id and dependent_benefit.product_id = ${altered}.product_id
    and dependent_benefit.status = 'active'
    and coalesce(dependent_benefit.end_date, 'infinity') >= greatest(${day}, dependent_benefit.start_date)`
