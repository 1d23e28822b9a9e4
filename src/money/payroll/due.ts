import type { LocalDate } from '#kernel/calendar.ts'
import type { Sql } from '#platform/core/database.ts'
import { addMonths, type Month, monthsOf } from '#registry/rules/cut-off.ts'
import { readContractIds } from '#registry/contracts/queries.ts'
import { required } from '#platform/core/log.ts'
import { missingOf, pricingOf, readContractPrices } from '../prices/pricing-queries.ts'
import {
  type ClosedShare,
  type DeductedBenefit,
  type DeductionFacts,
  type DeductionPricing,
  type DueLines,
  dueLines,
} from '../rules/deduction.ts'
import { LEDGER_MONTHS } from '../rules/ledger.ts'
import type { PriceSetting } from '../rules/premium.ts'
import { readSharedCharges } from '../costs/cost-list.ts'
import { changeableLines, chargedShares, deductionsOf, type OpenLine, openLines } from '../rules/payroll.ts'
import {
  readAcceptedAmounts,
  readClosedShares,
  readDeductedBenefits,
  readOpenMonths,
  readReopenedMonths,
} from './due-queries.ts'
import { readExported, readFinalLeavers, type StoredProfile } from './queries.ts'

/** The deductions that are read. */
interface OpenOf {
  readonly companyId: string
  /** The last month of cover; of a profile by closed month the month of the charges. */
  readonly through: Month
  /** Only of this employee; null: of all. */
  readonly memberId?: string | null
  /** Only that month, in place of all that can still change. */
  readonly isOneMonth?: boolean
  /** The last day of employees who leave, whose covers are taken to end on it; co-participation of open months is theirs, too. */
  readonly leaving?: ReadonlyMap<string, LocalDate>
}

interface OpenLines {
  readonly lines: readonly OpenLine[]
  readonly problems: DueLines['problems']
  /** The months of cover that are not exported, because a month was opened again. */
  readonly reopened: ReadonlySet<Month>
  /** What the lines follow from; null: from the charges of a month alone. */
  readonly facts: DeductionFacts | null
}

/** What employees owe and what of it is left to export, by the basis of the profile. Lines of months that are open again are as they were exported. */
export async function readOpenLines(sql: Sql, profile: StoredProfile | null, of: OpenOf): Promise<OpenLines> {
  const { companyId, through, memberId = null } = of
  if (profile?.['first-month'] == null) {
    const { lines, problems } = deductionsOf(await readSharedCharges(sql, companyId, through), through)
    const period = { from: through, until: through, months: [through] }
    const exported = await readExported(sql, { companyId, memberId, ...period })
    const open = openLines(lines, exported).filter((line) => memberId === null || line.memberId === memberId)
    return { lines: open, problems, reopened: new Set(), facts: null }
  }
  const { lines, problems, facts, from } = await readDue(sql, { ...of, firstMonth: profile['first-month'] })
  const charged = lines.map(({ originMonth }) => originMonth)
  const months = of.isOneMonth === true ? [through] : [...new Set([...monthsOf(from, through), ...charged])]
  const due = lines.filter(({ originMonth }) => months.includes(originMonth))
  const period = { from: profile['first-month'], until: '9999-12', months }
  const exported = await readExported(sql, { companyId, memberId, ...period })
  const reopened = await readReopenedMonths(sql, companyId)
  const open = changeableLines(openLines(due, exported), { from, through }, reopened)
  return { lines: open, problems, reopened, facts }
}

/** What employees owe by month of cover; what is older than the ledger is settled, but for what a month since then charges. */
async function readDue(
  sql: Sql,
  of: OpenOf & { readonly firstMonth: Month },
): Promise<DueLines & { readonly facts: DeductionFacts; readonly from: Month }> {
  const { companyId, firstMonth, through, memberId = null, isOneMonth = false } = of
  const oldest = isOneMonth ? through : addMonths(through, -LEDGER_MONTHS)
  const months = { firstMonth, from: oldest < firstMonth ? firstMonth : oldest, through }
  const key = { companyId, memberId, ...months, from: oldest }
  const shares = await readClosedShares(sql, key)
  // What an export of leavers has is not given back by a later one.
  const leaving = new Map([...(await readFinalLeavers(sql, companyId)), ...(of.leaving ?? [])])
  const benefits = (await readDeductedBenefits(sql, key, shares)).map((benefit) => {
    return endingBy(benefit, leaving.get(benefit.employeeMemberId))
  })
  const facts: DeductionFacts = {
    shares: [...shares, ...(await readOpenCoparticipation(sql, key, benefits, leaving))],
    benefits,
    accepted: await readAcceptedAmounts(sql, key),
    pricings: await readPricings(sql, companyId, through),
  }
  return { ...dueLines(facts, months), facts, from: oldest }
}

function endingBy(benefit: DeductedBenefit, day: LocalDate | undefined): DeductedBenefit {
  const { endDate } = benefit
  return day === undefined || (endDate !== null && endDate <= day) ? benefit : { ...benefit, endDate: day }
}

/** What the files of open months say that employees who leave used. */
async function readOpenCoparticipation(
  sql: Sql,
  { companyId, from }: { readonly companyId: string; readonly from: Month },
  benefits: readonly DeductedBenefit[],
  leaving: ReadonlyMap<string, LocalDate>,
): Promise<ClosedShare[]> {
  const ofLeaving = benefits.filter(({ employeeMemberId }) => leaving.has(employeeMemberId))
  if (ofLeaving.length === 0) return []
  const ids = ofLeaving.map(({ benefitId }) => benefitId)
  const shares: ClosedShare[] = []
  for (const month of await readOpenMonths(sql, companyId, from)) {
    const charges = await readSharedCharges(sql, companyId, month, ids)
    shares.push(
      ...chargedShares(
        charges.filter(({ source }) => source !== 'premium'),
        month,
      ),
    )
  }
  return shares
}

/** The prices of the contracts of a company, or which settings lack, by contract. */
async function readPricings(
  sql: Sql,
  companyId: string,
  month: Month,
): Promise<Map<string, DeductionPricing | readonly PriceSetting[]>> {
  const pricings = new Map<string, DeductionPricing | readonly PriceSetting[]>()
  for (const contractId of await readContractIds(sql, companyId)) {
    const prices = required(await readContractPrices(sql, contractId), 'contract')
    const missing = missingOf(prices, month)
    pricings.set(
      contractId,
      missing.length > 0 ? missing : { ...pricingOf(prices, month), tolerance: prices.tolerance },
    )
  }
  return pricings
}
