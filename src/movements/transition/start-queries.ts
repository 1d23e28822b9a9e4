import { Records } from '../../core/records.ts'
/*
 * The starts of benefits of inclusions: a dependent's is not before its primary's of the product, and none is before the end of former cover
 * of the person in the product and role.
 */
import { hasRule } from '../../enrollments/kind.ts'
import { updateBenefits } from '../../benefits/write.ts'
import type { BeneficiaryType } from '../../domain/enums.ts'
import type { StartWarning } from '../../domain/warnings.ts'
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
  return `(select max(f.end_date) + 1 from benefit f where f.company_id = $1 and f.member_id = ${of.memberId}
    and f.product_id = ${of.productId} and f.type = ${of.type} and f.status = 'inactive' and f.end_date >= f.start_date)`
}

/** SQL: the start of the benefit that a dependent's (alias) depends on: the active one, else the latest that the primary had. */
const startOfPrimary = (dependent: string): string =>
  `(select p.start_date from benefit p where p.company_id = $1 and p.member_id = ${dependent}.primary_member_id
    and p.product_id = ${dependent}.product_id and p.type = 'primary' and p.status = any($3::text[])
    order by p.status = 'active' desc, p.start_date desc, p.created_at desc limit 1)`

/** A pending benefit of an inclusion. */
export interface BenefitStart {
  readonly id: string
  readonly type: BeneficiaryType
  /** null: as it is. */
  readonly startDate: string | null
  readonly cardNumber?: string | null
}

export interface StartedBenefit {
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
  const former = dayAfterFormerCover({ memberId: 'n.member_id', productId: 'n.product_id', type: 'n.type' })
  const rows = await updateBenefits<{ startDate: string; isWithPrimary: boolean; isAfterFormer: boolean }>(sql, at, {
    set: {
      start_date: 'greatest(s.own, s.of_primary, s.after_former)',
      card_number: 'coalesce(s."cardNumber", b.card_number)',
      ...(activates ? { status: `'active'` } : {}),
    },
    from: `(
      select n.id, r."cardNumber", coalesce(r."startDate", n.start_date) as own, ${former} as after_former,
        ${type === 'dependent' ? startOfPrimary('n') : 'null::date'} as of_primary
      from json_to_recordset($2::json) as r(id uuid, "startDate" date, "cardNumber" text)
      join benefit n on n.company_id = $1 and n.id = r.id
      where n.status = 'pending' and cardinality($3::text[]) > 0) s`,
    where: `b.company_id = $1 and b.id = s.id and b.status = 'pending'`,
    values: [companyId, Records.of(benefits), ['active', activates ? 'inactive' : 'pending']],
    returning: `b.start_date as "startDate", coalesce(s.of_primary > s.own, false) as "isWithPrimary",
      coalesce(s.after_former > greatest(s.own, s.of_primary), false) as "isAfterFormer"`,
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

/** Starts the pending benefits of dependents with these primaries' benefits, or on the later day that they were accepted for. */
async function moveDependents(write: CompanyWrite, primaryIds: readonly string[]): Promise<void> {
  const { sql, companyId, at } = write
  const moved = await updateBenefits(sql, at, {
    set: { start_date: 'm.start_date' },
    from: `(
      with started as materialized (
        select b.member_id, b.product_id, b.start_date from benefit b where b.company_id = $1 and b.id = any($2::uuid[])
      )
      select d.id, greatest(coalesce(e.start_date, d.start_date), p.start_date,
        ${dayAfterFormerCover({ memberId: 'd.member_id', productId: 'd.product_id', type: 'd.type' })}) as start_date
      from started p
      join benefit d on d.company_id = $1 and d.primary_member_id = p.member_id and d.product_id = p.product_id
        and d.type = 'dependent' and d.status = 'pending' and d.replaces_id is null
      join enrollment e on e.company_id = $1 and e.member_id = d.member_id and e.benefit_id = d.id and ${hasRule('e.enrollment_type', 'createsBenefit')}) m`,
    where: `b.company_id = $1 and b.id = m.id and b.start_date <> m.start_date`,
    values: [companyId, primaryIds],
  })
  if (moved.length === 0) return
  await reportMovedStarts(
    write,
    moved.map(({ id }) => id),
  )
}
