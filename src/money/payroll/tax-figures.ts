import { withComma } from '#kernel/money.ts'
import type { Sql } from '#platform/core/database.ts'
import type { TaxFigureBasis } from '#kernel/broker-enums.ts'
import { type Month, monthsOf } from '#registry/rules/cut-off.ts'
import { isEmployed, readProfile } from './queries.ts'
import { employeeFigures, type EmployeeFigures } from '../rules/tax-figures.ts'
import { byteOrderMark, csvLine, lineEnd } from '#platform/tables/write.ts'
import { readSharedCharges } from '../costs/cost-list.ts'

/** What an employer declares of an employee and month. */
export interface TaxFigures extends EmployeeFigures {
  readonly month: Month
  readonly employee: TaxPerson
  /** `r-4010`: of people without employment. */
  readonly declaration: 's-1210' | 'r-4010'
  readonly by: TaxFigureBasis
  /** The months of the year in which what was charged is not what was deducted; only where nobody decided which of them counts. */
  readonly differing: readonly Month[]
}

/** An amount of a person in a contract. */
interface PersonAmount {
  readonly employeeMemberId: string
  readonly memberId: string
  readonly contractId: string | null
  /** What the carrier charges. */
  readonly cost: number
  /** What of it the employee pays; null: not known. */
  readonly employeeCost: number | null
}

/**
 * The figures of a year, month by month, by the employees' CPFs; those who pay nothing are left out. From the first month of a payroll by effective
 * date its profile says whether employees pay what was charged for the month, or what was deducted in it. It concerns those on the payroll.
 */
export async function* readTaxFigures(sql: Sql, companyId: string, year: number): AsyncGenerator<TaxFigures> {
  const carriers = await readCarriers(sql, companyId)
  const profile = await readProfile(sql, companyId)
  const months = monthsOf(`${year}-01`, `${year}-12`)
  const ahead = months.filter((month) => month >= (profile?.['first-month'] ?? '9999-12'))
  const isUndecided = profile?.['tax-figures-by'] === null
  const differing = isUndecided ? await readDiffering(sql, companyId, ahead) : new Map<string, Month[]>()
  for (const month of months) {
    const isByDeduction = profile?.['tax-figures-by'] === 'deduction' && ahead.includes(month)
    const charged = await readCharged(sql, companyId, month)
    const deducted = isByDeduction ? await readDeducted(sql, companyId, month) : []
    const ids = [...charged, ...deducted].flatMap(({ memberId, employeeMemberId }) => [memberId, employeeMemberId])
    const people = await readTaxPeople(sql, companyId, [...new Set(ids)])
    // Whoever is not on the payroll is billed: what was charged counts.
    const isDeducted = (id: string) => isByDeduction && people.get(id)?.isEmployed !== false
    const amounts = [
      ...charged.map((amount) => (isDeducted(amount.employeeMemberId) ? { ...amount, employeeCost: 0 } : amount)),
      ...deducted.filter(({ employeeMemberId }) => isDeducted(employeeMemberId)),
    ]
    for (const figures of figuresOfMonth(amounts, people, carriers)) {
      const { memberId, isEmployed } = figures.employee
      const by = isDeducted(memberId) ? 'deduction' : 'charge'
      yield { ...figures, month, by, differing: isEmployed ? (differing.get(memberId) ?? []) : [] }
    }
  }
}

async function readCharged(sql: Sql, companyId: string, month: Month): Promise<PersonAmount[]> {
  const charges = await readSharedCharges(sql, companyId, month)
  return charges.flatMap(({ contractId, amount, share, person }) => {
    if (person === null) return []
    const { memberId, employeeMemberId } = person
    return [
      { memberId, employeeMemberId, contractId, cost: amount, employeeCost: typeof share === 'number' ? share : null },
    ]
  })
}

/** What the payroll of a period deducted. */
async function readDeducted(sql: Sql, companyId: string, period: Month): Promise<PersonAmount[]> {
  return sql.query<PersonAmount>(
    `select line.member_id as "employeeMemberId", part."memberId", part."contractId", 0 as cost, sum(part.amount)::bigint as "employeeCost"
     from payroll_export
     join payroll_export_line line on line.company_id = $1 and line.export_id = payroll_export.id
     cross join lateral jsonb_to_recordset(line.people) part ("memberId" uuid, "contractId" uuid, amount bigint)
     where payroll_export.company_id = $1 and payroll_export.reference_month = $2 and line.destination = 'payroll'
     group by 1, 2, 3`,
    [companyId, period],
  )
}

/** The months in which what was charged is not what was deducted, by employee. */
async function readDiffering(sql: Sql, companyId: string, months: readonly Month[]): Promise<Map<string, Month[]>> {
  const differing = new Map<string, Month[]>()
  for (const month of months) {
    const rest = new Map<string, number>()
    const add = (id: string, amount: number) => rest.set(id, (rest.get(id) ?? 0) + amount)
    for (const { employeeMemberId, employeeCost } of await readCharged(sql, companyId, month)) {
      add(employeeMemberId, employeeCost ?? 0)
    }
    for (const { employeeMemberId, employeeCost } of await readDeducted(sql, companyId, month)) {
      add(employeeMemberId, -(employeeCost ?? 0))
    }
    for (const [id, amount] of rest) if (amount !== 0) differing.set(id, [...(differing.get(id) ?? []), month])
  }
  return differing
}

type EmployeeOfMonth = EmployeeFigures & Pick<TaxFigures, 'employee' | 'declaration'>

function* figuresOfMonth(
  amounts: readonly PersonAmount[],
  people: ReadonlyMap<string, TaxPerson>,
  carriers: ReadonlyMap<string, CarrierOfContract>,
): Generator<EmployeeOfMonth> {
  const byEmployee = [...Map.groupBy(amounts, ({ employeeMemberId }) => employeeMemberId)]
    .flatMap(([id, group]) => {
      const employee = people.get(id)
      return employee === undefined ? [] : [{ employee, group }]
    })
    .toSorted((a, b) => Number(a.employee.taxId > b.employee.taxId) * 2 - 1)
  for (const { employee, group } of byEmployee) {
    const figures = employeeFigures(
      group.map(({ contractId, memberId, cost, employeeCost }) => ({
        carrierTaxId: carriers.get(contractId ?? '')?.taxId ?? null,
        ansRegistration: carriers.get(contractId ?? '')?.ansRegistration ?? null,
        dependent: memberId === employee.memberId ? null : { id: memberId, taxId: people.get(memberId)?.taxId ?? null },
        cost,
        employeeCost,
      })),
    )
    const declaration = employee.isEmployed ? 's-1210' : 'r-4010'
    if (figures !== null) yield { ...figures, employee, declaration }
  }
}

/** The figures of a month as JSON of the API. */
export function figuresJson({ month, employee, declaration, plans, deducted, wholeCost, by, differing }: TaxFigures) {
  return {
    'reference-month': month,
    'tax-id': employee.taxId,
    'employee-id': employee.employeeId,
    declaration,
    plans: plans.map((plan) => ({
      'carrier-tax-id': plan.carrierTaxId,
      'ans-registration': plan.ansRegistration,
      amount: plan.employee,
      dependents: plan.dependents.map(({ taxId, amount }) => ({ 'tax-id': taxId, amount })),
      errors: [...plan.errors],
    })),
    deducted,
    'whole-cost': wholeCost,
    'tax-figures-by': by,
    'differing-months': [...differing],
  }
}

const headings = [
  'Competência',
  'CPF do titular',
  'Matrícula',
  'Declaração',
  'CNPJ da operadora',
  'Registro ANS',
  'CPF do dependente',
  'Valor',
  'Natureza 9219',
  'Natureza 9911',
  'Erros',
  'Base',
  'Meses que diferem',
]
const bases: Record<TaxFigureBasis, string> = { charge: 'cobrança', deduction: 'desconto' }
const monthText = (month: Month): string => month.split('-').toReversed().join('/')

/** The header of the CSV. */
export const figuresHead = `${byteOrderMark}${csvLine(headings)}${lineEnd}`

/** The lines of a month in the CSV: of each carrier one for the employee and one for each dependent. The natures are on the first one. */
export function figuresLines(figures: TaxFigures): string {
  const { month, employee, declaration, plans, deducted, wholeCost, by, differing } = figures
  const rows = plans.flatMap((plan) => [
    { plan, taxId: '', amount: plan.employee, errors: plan.errors.join(', ') },
    ...plan.dependents.map(({ taxId, amount }) => ({ plan, taxId: taxId ?? '', amount, errors: '' })),
  ])
  return rows
    .map(({ plan, taxId, amount, errors }, index) =>
      csvLine([
        monthText(month),
        employee.taxId,
        employee.employeeId,
        declaration.toUpperCase(),
        plan.carrierTaxId,
        plan.ansRegistration,
        taxId,
        withComma(amount),
        index === 0 ? withComma(deducted) : '',
        index === 0 ? withComma(wholeCost) : '',
        errors,
        bases[by],
        index === 0 ? differing.map(monthText).join(', ') : '',
      ]),
    )
    .map((line) => `${line}${lineEnd}`)
    .join('')
}

interface CarrierOfContract {
  readonly contractId: string
  readonly taxId: string | null
  readonly ansRegistration: string | null
}

/** The CNPJ and the registration at the ANS by contract: its own, else those of its carrier. */
async function readCarriers(sql: Sql, companyId: string): Promise<Map<string, CarrierOfContract>> {
  const rows = await sql.query<CarrierOfContract>(
    `select contract.id as "contractId", coalesce(contract.carrier_tax_id, carrier.tax_id) as "taxId",
       coalesce(contract.ans_registration, carrier.ans_registration) as "ansRegistration"
     from contract join carrier on carrier.id = contract.carrier_id where contract.company_id = $1`,
    [companyId],
  )
  return new Map(rows.map((row) => [row.contractId, row]))
}

interface TaxPerson {
  readonly memberId: string
  readonly taxId: string
  readonly employeeId: string | null
  /** Others are paid without employment. */
  readonly isEmployed: boolean
}

/** People by id, with what declarations name. */
async function readTaxPeople(sql: Sql, companyId: string, ids: readonly string[]): Promise<Map<string, TaxPerson>> {
  const rows = await sql.query<TaxPerson>(
    `select id as "memberId", tax_id as "taxId", employee_id as "employeeId",
       ${isEmployed} as "isEmployed"
     from member where company_id = $1 and id = any($2::uuid[])`,
    [companyId, ids],
  )
  return new Map(rows.map((row) => [row.memberId, row]))
}
