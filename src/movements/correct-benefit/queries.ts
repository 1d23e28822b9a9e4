import type { LocalDate } from '#kernel/calendar.ts'
import type { BenefitStatus } from '#kernel/enums.ts'
import type { CorrectedField } from '../rules/benefit-correction.ts'
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import { cardKey } from '#coverage/rules/card-number.ts'
import { isOpen } from '#coverage/enrollments/open-movement.ts'

export interface CorrectedBenefit {
  readonly id: string
  readonly memberId: string
  readonly status: BenefitStatus
  readonly cardNumber: string | null
  readonly startDate: LocalDate
  readonly endDate: LocalDate | null
  readonly isExtended: boolean
  /** Whether a movement of it is open, or its dates depend on those of a benefit that it follows, or that follows it. */
  readonly isBound: boolean
}

/** The benefit, whose family the caller has locked. */
export async function readCorrected(sql: Sql, companyId: string, id: string): Promise<CorrectedBenefit | undefined> {
  const [row] = await sql.query<CorrectedBenefit>(
    // The one that follows may be of another company.
    `with follower as materialized (
       select 1 from benefit where benefit.replaces_company_id = $1 and benefit.replaces_id = $2
     )
     select benefit.id, benefit.member_id as "memberId", benefit.status, benefit.card_number as "cardNumber",
       benefit.start_date as "startDate", benefit.end_date as "endDate", benefit.extension_plan as "isExtended",
       benefit.replaces_id is not null or exists (select 1 from follower) or exists (
         select 1 from enrollment where enrollment.company_id = $1 and enrollment.member_id = benefit.member_id and enrollment.benefit_id = $2
           and ${isOpen('enrollment')}) as "isBound"
     from benefit where benefit.company_id = $1 and benefit.id = $2`,
    [companyId, id],
  )
  return row
}

/** Two corrections that give one card to two people wait for each other: the second one finds what the first has stored. */
export async function lockCard(sql: Sql, companyId: string, cardNumber: string): Promise<void> {
  await sql.execute(`select pg_advisory_xact_lock(hashtextextended('card ' || $1 || ' ' || $2, 0))`, [
    companyId,
    cardKey(cardNumber),
  ])
}

/** Whether another person of the company has the card at an active benefit with the same carrier. Cards are compared without punctuation. */
export async function isCardTaken(sql: Sql, companyId: string, id: string, cardNumber: string): Promise<boolean> {
  const [row] = await sql.query<{ isTaken: boolean }>(
    `select exists (
       select 1 from benefit other
       join product other_product on other_product.company_id = $1 and other_product.id = other.product_id
       join benefit on benefit.company_id = $1 and benefit.id = $2 and benefit.member_id <> other.member_id
       join product on product.company_id = $1 and product.id = benefit.product_id and product.carrier_key = other_product.carrier_key
       where other.company_id = $1 and other.card_key = $3) as "isTaken"`,
    [companyId, id, cardKey(cardNumber)],
  )
  return row?.isTaken === true
}

/**
 * Whether the periods do not fit: those of the person in the product overlap, or a dependent's benefit starts before its primary's or ends
 * after it. These are the invariants `benefit-periods` and `dependent-period`, of the family of one benefit.
 */
export async function isFamilyBroken(sql: Sql, companyId: string, id: string): Promise<boolean> {
  const [row] = await sql.query<{ isBroken: boolean }>(
    `select exists (
       select 1 from benefit
       join benefit other on other.company_id = $1 and other.member_id = benefit.member_id and other.product_id = benefit.product_id
         and other.type = benefit.type and other.id <> benefit.id
         and daterange(other.start_date, other.end_date + 1) && daterange(benefit.start_date, benefit.end_date + 1)
       where benefit.company_id = $1 and benefit.id = $2
     ) or exists (
       select 1 from benefit
       join benefit dependent_benefit on dependent_benefit.company_id = $1 and dependent_benefit.product_id = benefit.product_id
         and dependent_benefit.type = 'dependent' and dependent_benefit.status <> 'pending'
         and dependent_benefit.end_date is distinct from dependent_benefit.start_date - 1
         and (dependent_benefit.id = benefit.id or dependent_benefit.primary_member_id = benefit.member_id)
       where benefit.company_id = $1 and benefit.id = $2 and not (
         daterange(dependent_benefit.start_date, dependent_benefit.end_date + 1) <@ (
           select range_agg(daterange(primary_benefit.start_date, primary_benefit.end_date + 1)) from benefit primary_benefit
           where primary_benefit.company_id = $1 and primary_benefit.member_id = dependent_benefit.primary_member_id
             and primary_benefit.product_id = benefit.product_id and primary_benefit.type = 'primary'
             and primary_benefit.end_date is distinct from primary_benefit.start_date - 1))) as "isBroken"`,
    [companyId, id],
  )
  return row?.isBroken === true
}

interface CorrectionRow {
  readonly id: string
  readonly field: CorrectedField
  readonly old: string | null
  readonly new: string
}

/** Stores what was corrected, by whom and why. */
export async function insertCorrections(
  sql: Sql,
  correction: {
    readonly companyId: string
    readonly benefitId: string
    readonly reason: string
    readonly author: string
    readonly at: Date
    readonly rows: readonly CorrectionRow[]
  },
): Promise<void> {
  const { companyId, benefitId, reason, author, at, rows } = correction
  await sql.query(
    `insert into benefit_correction (company_id, benefit_id, id, field, old_value, new_value, reason, author, created_at)
     select $1, $2, correction.id, correction.field, correction.old, correction.new, $3, $4, $5
     from json_to_recordset($6::json) as correction(id uuid, field text, old text, new text)`,
    [companyId, benefitId, reason, author, at, Records.of(rows)],
  )
}

/** SQL of the corrections of a benefit, the oldest first. */
export const correctionsJson = (companyId: string, benefitId: string) => `(
  select coalesce(json_agg(json_build_object('at', benefit_correction.created_at, 'actor-id', benefit_correction.author,
      'field', benefit_correction.field, 'old', benefit_correction.old_value, 'new', benefit_correction.new_value,
      'reason', benefit_correction.reason) order by benefit_correction.id), '[]')
  from benefit_correction where benefit_correction.company_id = ${companyId} and benefit_correction.benefit_id = ${benefitId})`
