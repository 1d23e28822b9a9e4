import { Records } from '#platform/core/records.ts'
/*
 * The starts of benefits of inclusions: a dependent's is not before its primary's of the product, and none is before the end of former cover
 * of the person in the product and role.
 */
import { hasRule } from '#coverage/enrollments/kind.ts'
import { updateBenefits } from '#coverage/benefits/write.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import type { StartWarning } from '#kernel/warnings.ts'
import type { CompanyWrite } from './types.ts'
import { reportMovedStarts } from './enrollments.ts'

/**
 * SQL: the day after the former cover of a person in a product and role of company `$1`; null when there is none. Void benefits covered no day.
 */
export function dayAfterFormerCover(of: {
  readonly memberId: string
  readonly productId: string
  readonly type: string
}): string {
  return `(select max(former.end_date) + 1 from benefit former where former.company_id = $1 and former.member_id = ${of.memberId}
    and former.product_id = ${of.productId} and former.type = ${of.type} and former.status = 'inactive' and former.end_date >= former.start_date)`
}

/** SQL: the start of the benefit that a dependent's (alias) depends on: the active one, else the latest that the primary had. */
const startOfPrimary = (dependent: string): string =>
  `(select primary_benefit.start_date from benefit primary_benefit where primary_benefit.company_id = $1
     and primary_benefit.member_id = ${dependent}.primary_member_id
    and primary_benefit.product_id = ${dependent}.product_id and primary_benefit.type = 'primary' and primary_benefit.status = any($3::text[])
    order by primary_benefit.status = 'active' desc, primary_benefit.start_date desc, primary_benefit.created_at desc limit 1)`

/** A pending benefit of an inclusion. */
interface BenefitStart {
  readonly id: string
  readonly type: BeneficiaryType
  /** null: as it is. */
  readonly startDate: string | null
  readonly cardNumber?: string | null
}

interface StartedBenefit {
  readonly id: string
  readonly startDate: string
  readonly warnings: readonly StartWarning[]
}

/**
 * Sets the starts of pending benefits, or the later ones that primary and former cover require; the starts of pending benefits of
 * these primaries' dependents follow.
 * @param activates whether they become active: then a dependent's depends on the primary's cover, else also on a pending benefit.
 */
export async function startBenefits(
  write: CompanyWrite,
  benefits: readonly BenefitStart[],
  activates: boolean,
): Promise<StartedBenefit[]> {
  const started: StartedBenefit[] = []
  const byType = Map.groupBy(benefits, ({ type }) => type)
  for (const type of ['primary', 'dependent'] as const) {
    const ofType = byType.get(type) ?? []
    if (ofType.length > 0) started.push(...(await startOfType(write, type, ofType, activates)))
  }
  const primaryIds = (byType.get('primary') ?? []).map(({ id }) => id)
  if (primaryIds.length > 0) await moveDependents(write, primaryIds)
  return started
}

async function startOfType(
  { sql, companyId, at }: CompanyWrite,
  type: BeneficiaryType,
  benefits: readonly BenefitStart[],
  activates: boolean,
): Promise<StartedBenefit[]> {
  const former = dayAfterFormerCover({
    memberId: 'pending.member_id',
    productId: 'pending.product_id',
    type: 'pending.type',
  })
  const rows = await updateBenefits<{ startDate: string; isWithPrimary: boolean; isAfterFormer: boolean }>(sql, at, {
    set: {
      start_date: 'greatest(start.own, start.of_primary, start.after_former)',
      card_number: 'coalesce(start."cardNumber", benefit.card_number)',
      ...(activates ? { status: `'active'` } : {}),
    },
    from: `(
      select pending.id, given."cardNumber", coalesce(given."startDate", pending.start_date) as own, ${former} as after_former,
        ${type === 'dependent' ? startOfPrimary('pending') : 'null::date'} as of_primary
      from json_to_recordset($2::json) as given(id uuid, "startDate" date, "cardNumber" text)
      join benefit pending on pending.company_id = $1 and pending.id = given.id
      where pending.status = 'pending' and cardinality($3::text[]) > 0) start`,
    where: `benefit.company_id = $1 and benefit.id = start.id and benefit.status = 'pending'`,
    values: [companyId, Records.of(benefits), ['active', activates ? 'inactive' : 'pending']],
    returning: `benefit.start_date as "startDate", coalesce(start.of_primary > start.own, false) as "isWithPrimary",
      coalesce(start.after_former > greatest(start.own, start.of_primary), false) as "isAfterFormer"`,
  })
  return rows.map(({ id, startDate, isWithPrimary, isAfterFormer }) => ({
    id,
    startDate,
    warnings: [
      ...(isWithPrimary ? (['starts-with-primary'] as const) : []),
      ...(isAfterFormer ? (['starts-after-former-cover'] as const) : []),
    ],
  }))
}

/**
 * Starts the pending benefits of dependents with these primaries' benefits, or on the later day that they were accepted for. Each step is
 * materialized: of a company that the statistics do not list the planner expects one row a table, and joined them all in nested loops.
 */
async function moveDependents(write: CompanyWrite, primaryIds: readonly string[]): Promise<void> {
  const { sql, companyId, at } = write
  const former = dayAfterFormerCover({
    memberId: 'dependent.member_id',
    productId: 'dependent.product_id',
    type: 'dependent.type',
  })
  const moved = await updateBenefits(sql, at, {
    set: { start_date: 'moved.start_date' },
    from: `(
      with started as materialized (
        select member_id, product_id, start_date from benefit where company_id = $1 and id = any($2::uuid[])
      ), dependent as materialized (
        select benefit.id, benefit.member_id, benefit.product_id, benefit.type, benefit.start_date, started.start_date as primary_start
        from started join benefit on benefit.company_id = $1 and benefit.primary_member_id = started.member_id
          and benefit.product_id = started.product_id and benefit.type = 'dependent' and benefit.status = 'pending'
          and benefit.replaces_id is null
      ), later as materialized (
        select dependent.id, greatest(coalesce(enrollment.start_date, dependent.start_date), dependent.primary_start, ${former}) as start_date
        from dependent join enrollment on enrollment.company_id = $1 and enrollment.member_id = dependent.member_id
          and enrollment.benefit_id = dependent.id and ${hasRule('enrollment.enrollment_type', 'createsBenefit')}
      )
      select id, start_date from later) moved`,
    where: `benefit.company_id = $1 and benefit.id = moved.id and benefit.start_date <> moved.start_date`,
    values: [companyId, primaryIds],
  })
  if (moved.length === 0) return
  await reportMovedStarts(
    write,
    moved.map(({ id }) => id),
  )
}
