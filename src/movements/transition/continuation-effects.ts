import { v7 as uuidv7 } from 'uuid'
import {
  type NewContinuation,
  putContinuations,
  putRefusedContinuations,
  readSettingsOfBenefits,
  recordDeathDays,
  type RefusedContinuation,
  termColumns,
  termUnder,
} from '#coverage/continuations/write.ts'
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  type ContinuationGround,
  type ContinuationRefusal,
  groundOf,
  leavingReasonOf,
} from '#coverage/rules/continuation.ts'
import type { ContinuationOption, ExclusionReason } from '#kernel/enums.ts'
import type { CompanyWrite } from './types.ts'

/** The benefit of a primary whose exclusion completes. */
export interface LeavingBenefit {
  readonly enrollmentId: string
  readonly benefitId: string
  readonly companyId: string
  /** The last day of the cover as an employee. */
  readonly leavingDate: LocalDate
}

interface Items {
  readonly id: string
  readonly reason: ExclusionReason
  readonly keepsWorking: boolean | null
  readonly months: number | null
  readonly noticeDate: LocalDate | null
  readonly option: ContinuationOption | null
  readonly optionDate: LocalDate | null
  readonly refusal: ContinuationRefusal | null
}

type Leaving = LeavingBenefit & { readonly sent: Items; readonly ground: ContinuationGround }

/** Those of the benefits whose exclusions say whose right it is, with what they say, by the company. */
async function readLeaving(
  { sql, companyId }: CompanyWrite,
  benefits: readonly LeavingBenefit[],
): Promise<Map<string, Leaving[]>> {
  if (benefits.length === 0) return new Map()
  const items = await readItems(
    sql,
    companyId,
    benefits.map(({ enrollmentId }) => enrollmentId),
  )
  const byId = new Map(items.map((item) => [item.id, item]))
  const leaving = benefits.flatMap((benefit): Leaving[] => {
    const sent = byId.get(benefit.enrollmentId)
    const reason = sent === undefined ? null : leavingReasonOf(sent.reason)
    if (sent === undefined || reason === null) return []
    const ground = groundOf({ reason, keepsWorking: sent.keepsWorking === true })
    return ground === null ? [] : [{ ...benefit, sent, ground }]
  })
  return Map.groupBy(leaving, (item) => item.companyId)
}

/**
 * Starts the continuations (Lei 9.656 arts. 30 and 31) of exclusions that keep the benefit and have the items of RN 488; without the months the extension
 * plan has no term.
 */
export async function startContinuations(write: CompanyWrite, kept: readonly LeavingBenefit[]): Promise<void> {
  const { sql, at } = write
  for (const [companyId, benefits] of await readLeaving(write, kept)) {
    const ids = benefits.map(({ benefitId }) => benefitId)
    const settings = await readSettingsOfBenefits(sql, companyId, ids)
    const rows = benefits.flatMap(({ benefitId, leavingDate, ground, sent }): NewContinuation[] => {
      if (sent.months === null || sent.months === 0) return []
      const facts = { ground, contributionMonths: sent.months, leavingDate }
      const isAccepted = sent.option === 'accepted'
      return [
        {
          id: uuidv7(),
          benefitId,
          ...facts,
          noticeDate: sent.noticeDate,
          optionDate: isAccepted ? sent.optionDate : null,
          status: isAccepted ? 'accepted' : sent.noticeDate === null ? 'notice-pending' : 'offered',
          ...termColumns(termUnder(settings.get(benefitId), facts)),
        },
      ]
    })
    const written = await putContinuations(sql, companyId, rows, at)
    sql.audit(written.map((target) => ({ action: 'continuation.created', target, companyId })))
  }
}

/** Records why exclusions that asked for an extension plan were ordinary ones. */
export async function recordRefusals(write: CompanyWrite, ended: readonly LeavingBenefit[]): Promise<void> {
  const { sql, at } = write
  for (const [companyId, benefits] of await readLeaving(write, ended)) {
    const rows = benefits.flatMap(({ benefitId, leavingDate, ground, sent }): RefusedContinuation[] => {
      const { refusal } = sent
      if (refusal === null) return []
      const isDeclined = refusal === 'declined'
      return [
        {
          id: uuidv7(),
          benefitId,
          ground,
          contributionMonths: sent.months,
          leavingDate,
          noticeDate: sent.noticeDate,
          optionDate: isDeclined ? sent.optionDate : null,
          status: isDeclined ? 'declined' : 'no-right',
          notEligibleReason: isDeclined ? null : refusal,
        },
      ]
    })
    if (rows.length === 0) continue
    const written = await putRefusedContinuations(sql, companyId, rows, at)
    sql.audit(written.map((target) => ({ action: 'continuation.refused', target, companyId })))
  }
}

/** Records the deaths of primaries whose dependents keep the plan (Lei 9.656 art. 30 § 3). */
export async function recordDeaths({ sql, at }: CompanyWrite, dead: readonly LeavingBenefit[]): Promise<void> {
  for (const [companyId, benefits] of Map.groupBy(dead, (benefit) => benefit.companyId)) {
    const days = benefits.map(({ benefitId, leavingDate }) => ({ benefitId, day: leavingDate }))
    await recordDeathDays(sql, companyId, days, at)
  }
}

async function readItems(sql: Sql, companyId: string, enrollmentIds: readonly string[]): Promise<Items[]> {
  const detail = (key: string) => `enrollment.data->'exclusion-details'->>'${key}'`
  return sql.query<Items>(
    `select enrollment.id, ${detail('exclusion-reason')} as reason, (${detail('keeps-working-after-retirement')})::boolean as "keepsWorking",
       (${detail('contribution-months')})::integer as months, (${detail('notice-date')})::date as "noticeDate", ${detail('option')} as option,
       (${detail('option-date')})::date as "optionDate", enrollment.continuation_refusal as refusal
     from enrollment where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])`,
    [companyId, enrollmentIds],
  )
}
