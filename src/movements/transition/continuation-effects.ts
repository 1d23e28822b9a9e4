import { v7 as uuidv7 } from 'uuid'
import {
  type NewContinuation,
  putContinuations,
  readSettingsOfBenefits,
  recordDeaths,
  termColumns,
  termUnder,
} from '../../continuations/write.ts'
import type { Sql } from '../../core/database.ts'
import type { LocalDate } from '../../domain/calendar.ts'
import type { ContinuationGround } from '../../domain/continuation.ts'
import type { ContinuationOption, ExclusionReason } from '../../domain/enums.ts'
import type { CompanyWrite } from './types.ts'

/** The benefit of a primary that an exclusion with an extension plan keeps. */
export interface KeptBenefit {
  readonly enrollmentId: string
  readonly benefitId: string
  readonly companyId: string
  /** The last day of the cover as an employee. */
  readonly leavingDate: LocalDate
}

interface Items {
  readonly id: string
  readonly reason: ExclusionReason
  readonly contributed: boolean | null
  readonly months: number | null
  readonly noticeDate: LocalDate | null
  readonly option: ContinuationOption | null
  readonly optionDate: LocalDate | null
}

/**
 * Starts the continuations (Lei 9.656 arts. 30 and 31) of exclusions that keep the benefit and have the items of RN 488; without them, and for who
 * did not contribute or declined, the extension plan has no term, as ever. The death of a primary is recorded: the family goes on (art. 30 § 3).
 */
export async function startContinuations(
  { sql, companyId, at }: CompanyWrite,
  kept: readonly KeptBenefit[],
): Promise<void> {
  if (kept.length === 0) return
  const enrollmentIds = kept.map(({ enrollmentId }) => enrollmentId)
  const items = new Map((await readItems(sql, companyId, enrollmentIds)).map((one) => [one.id, one]))
  for (const [ownCompanyId, benefits] of Map.groupBy(kept, (one) => one.companyId)) {
    const deaths = benefits.filter((one) => items.get(one.enrollmentId)?.reason === 'death')
    if (deaths.length > 0) {
      const days = deaths.map(({ benefitId, leavingDate }) => ({ benefitId, day: leavingDate }))
      await recordDeaths(sql, ownCompanyId, days, at)
    }
    const ids = benefits.map(({ benefitId }) => benefitId)
    const settings = await readSettingsOfBenefits(sql, ownCompanyId, ids)
    const rows = benefits.flatMap((benefit): NewContinuation[] => {
      const sent = items.get(benefit.enrollmentId)
      if (sent === undefined || !isContinued(sent)) return []
      const facts = { ground: sent.reason, contributionMonths: sent.months, leavingDate: benefit.leavingDate }
      const verdict = termUnder(settings.get(benefit.benefitId), facts)
      if (verdict.kind === 'not-eligible') return []
      const isAccepted = sent.option === 'accepted'
      return [
        {
          id: uuidv7(),
          benefitId: benefit.benefitId,
          ...facts,
          noticeDate: sent.noticeDate,
          optionDate: isAccepted ? sent.optionDate : null,
          status: isAccepted ? 'accepted' : sent.noticeDate === null ? 'notice-pending' : 'offered',
          ...termColumns(verdict),
        },
      ]
    })
    const written = await putContinuations(sql, ownCompanyId, rows, at)
    sql.audit(written.map((target) => ({ action: 'continuation.created', target, companyId: ownCompanyId })))
  }
}

function isContinued(items: Items): items is Items & { reason: ContinuationGround; months: number } {
  const isGround = items.reason === 'dismissal' || items.reason === 'retirement'
  return isGround && items.contributed !== false && (items.months ?? 0) > 0 && items.option !== 'declined'
}

async function readItems(sql: Sql, companyId: string, enrollmentIds: readonly string[]): Promise<Items[]> {
  const detail = (key: string) => `enrollment.data->'exclusion-details'->>'${key}'`
  return sql.query<Items>(
    `select enrollment.id, ${detail('exclusion-reason')} as reason, (${detail('contributed')})::boolean as contributed,
       (${detail('contribution-months')})::integer as months, (${detail('notice-date')})::date as "noticeDate", ${detail('option')} as option,
       (${detail('option-date')})::date as "optionDate"
     from enrollment where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])`,
    [companyId, enrollmentIds],
  )
}
