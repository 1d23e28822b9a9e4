import { hasRule } from '#coverage/enrollments/kind.ts'
import { REGULATED_PRODUCT_TYPES } from '#coverage/rules/deadline.ts'

type Source = 'enrollment_type' | 'member_type' | 'primary_member_id' | 'product_id' | 'benefit_id' | 'data'

/** What the deadlines of a movement start from; of a product that the norms do not name all are null. */
type ClockColumn = 'event_date' | 'newborn_date' | 'requested_on' | 'notice_date'

/**
 * SQL: the values of these columns of `enrollment`, of the company $1. On Citus `case value when` is not possible in them.
 * @param columns SQL expressions of the others. @param acceptedOn of the business day of the request.
 */
export function clocksOf(
  columns: Readonly<Record<Source, string>>,
  acceptedOn: string,
): Readonly<Record<ClockColumn, string>> {
  const { enrollment_type, member_type, primary_member_id, product_id, benefit_id, data } = columns
  const sent = (key: string) => `(${data}->>'${key}')::date`
  const detail = (key: string) => `${data}->'exclusion-details'->>'${key}'`
  const isRegulated = `exists (select 1 from product where company_id = $1 and id = ${product_id}
    and product_type in (${REGULATED_PRODUCT_TYPES.map((type) => `'${type}'`).join(', ')}))`
  const admissionOfPrimary = `(select admission_date from member where company_id = $1 and id = ${primary_member_id})`
  const childhood = `(select case when dependent_type = 'child' then ${sent('date-of-birth')} when dependent_type = 'adopted-child' then ${sent('dependency-date')} end
    from benefit where company_id = $1 and id = ${benefit_id})`
  const whenRegulated = (rule: 'createsBenefit' | 'endsBenefit', value: string) =>
    `case when ${hasRule(enrollment_type, rule)} then case when ${isRegulated} then ${value} end end`
  return {
    event_date: whenRegulated(
      'createsBenefit',
      `case when ${member_type} = 'primary' then ${sent('admission-date')}
        else greatest(${admissionOfPrimary}, ${sent('dependency-date')}, ${sent('date-of-birth')}) end`,
    ),
    newborn_date: whenRegulated('createsBenefit', `case when ${member_type} = 'dependent' then ${childhood} end`),
    requested_on: whenRegulated(
      'endsBenefit',
      `case when ${detail('exclusion-reason')} = 'requested-by-beneficiary' then coalesce((${detail('requested-at')})::date, ${acceptedOn}) end`,
    ),
    notice_date: whenRegulated(
      'endsBenefit',
      `case when coalesce(${detail('option')}, 'no-answer') = 'no-answer' and ${detail('contributed')} is distinct from 'false'
        and ${detail('contribution-months')} is distinct from '0' then (${detail('notice-date')})::date end`,
    ),
  }
}
