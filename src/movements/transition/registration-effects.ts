import { updateBenefits } from '#coverage/benefits/write.ts'
import { byKind, hasRule } from '#coverage/enrollments/kind.ts'
import { updateMembers } from '#coverage/members/write.ts'
import { Records } from '#platform/core/records.ts'
import type { OpenEnrollment } from './queries.ts'
import type { CompanyWrite, EffectContext } from './types.ts'

/** Sets the card numbers that the operator sent with the alterations of a kind. */
export async function setCardNumbers(
  { sql, companyId, at, decisions }: EffectContext,
  alterations: readonly OpenEnrollment[],
): Promise<void> {
  const cards = alterations.flatMap(({ id, benefitId, alterationKind }) => {
    const { cardNumber = null } = decisions.get(id) ?? {}
    return alterationKind === null || cardNumber === null ? [] : [{ id: benefitId, cardNumber }]
  })
  if (cards.length === 0) return
  await updateBenefits(sql, at, {
    set: { card_number: 'card."cardNumber"' },
    from: 'json_to_recordset($2::json) as card(id uuid, "cardNumber" text)',
    where: 'benefit.company_id = $1 and benefit.id = card.id',
    values: [companyId, Records.of(cards)],
  })
}

/**
 * Applies the registration data of completed movements: of inclusions of people who were members already, and of alterations, once per
 * request. Data of several movements of one person apply in the order of their creation.
 */
export async function applyRegistrationData(
  { sql, companyId, at }: CompanyWrite,
  enrollmentIds: readonly string[],
): Promise<void> {
  const alterations = await sql.query<{ id: string }>(
    `update request set applied_at = $2
     where request.company_id = $1 and ${hasRule('request.request_type', 'altersBenefit')} and request.applied_at is null
       and request.id in (select request_id from enrollment where company_id = $1 and id = any($3::uuid[]))
     returning request.id`,
    [companyId, at, enrollmentIds],
  )
  await updateMembers(sql, at, {
    text: `
      select registration.company_id, registration.member_id as id,
        jsonb_object_agg(field.key, field.value order by registration.created_at, registration.id) as data
      from (
        select distinct on (enrollment.request_id, enrollment.member_id) enrollment.company_id, enrollment.member_id, enrollment.created_at,
          enrollment.id,
          ${byKind('enrollment.enrollment_type', {
            inclusion: 'enrollment.data',
            exclusion: 'null::jsonb',
            alteration: `enrollment.data->'registration'`,
          })} as data
        from enrollment
        where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])
          and (enrollment.updates_profile or (enrollment.data ? 'registration' and enrollment.request_id = any($3::uuid[])))
        order by enrollment.request_id, enrollment.member_id, enrollment.id
      ) registration cross join lateral jsonb_each(registration.data) field
      group by registration.company_id, registration.member_id`,
    values: [companyId, enrollmentIds, alterations.map(({ id }) => id)],
  })
}
