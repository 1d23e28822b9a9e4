import { deleteMembersWithoutBenefit, recordDeletedBenefits } from '#coverage/members/write.ts'
import type { TransitionWarning } from '../rules/transitions.ts'
import type { OpenEnrollment } from './queries.ts'
import { startBenefits } from './start-queries.ts'
import type { CompanyWrite, EffectContext } from './types.ts'

/**
 * Activates the benefits of completed inclusions, with the start and card number of the operator, if sent.
 * @returns the warnings by enrollment: of those that start later than they were to.
 */
export async function activateBenefits(
  context: EffectContext,
  inclusions: readonly OpenEnrollment[],
): Promise<Map<string, TransitionWarning[]>> {
  const benefits = inclusions.map(({ id, benefitId, memberType, startDate: accepted }) => {
    const { startDate, cardNumber = null } = context.decisions.get(id) ?? {}
    return { id: benefitId, type: memberType, startDate: startDate ?? accepted, cardNumber }
  })
  const started = new Map((await startBenefits(context, benefits, true)).map((benefit) => [benefit.id, benefit]))
  return new Map(
    inclusions.flatMap(({ id, benefitId }) => {
      const { warnings = [], startDate = '' } = started.get(benefitId) ?? {}
      if (warnings.length === 0) return []
      return [[id, warnings.map((warning) => ({ warning, 'start-date': startDate }))]]
    }),
  )
}

/** Deletes the pending benefits of rejected or cancelled inclusions, and the members who have no other. */
export async function withdrawBenefits(
  { sql, companyId, at }: CompanyWrite,
  benefitIds: readonly string[],
): Promise<void> {
  const deleted = await sql.query<{ memberId: string }>(
    `delete from benefit where company_id = $1 and id = any($2::uuid[]) and status = 'pending' returning member_id as "memberId"`,
    [companyId, benefitIds],
  )
  const memberIds = [...new Set(deleted.map((row) => row.memberId))]
  await recordDeletedBenefits(sql, companyId, memberIds, at)
  await deleteMembersWithoutBenefit(sql, companyId, memberIds)
}
