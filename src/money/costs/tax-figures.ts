import { withComma } from '#kernel/money.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { SharedCharge } from '../rules/cost.ts'
import { employeeFigures, type EmployeeFigures } from '../rules/tax-figures.ts'
import { byteOrderMark, csvLine, lineEnd } from '#platform/tables/write.ts'
import { readSharedCharges } from './cost-list.ts'

/** What an employer declares of an employee and month. */
export interface TaxFigures extends EmployeeFigures {
  readonly month: Month
  readonly employee: TaxPerson
  /** `r-4010`: of people without employment. */
  readonly declaration: 's-1210' | 'r-4010'
}

/** The figures of a year, month by month, by the employees' CPFs; those who were charged nothing are left out. */
export async function* readTaxFigures(sql: Sql, companyId: string, year: number): AsyncGenerator<TaxFigures> {
  const carriers = await readCarriers(sql, companyId)
  for (let month = 1; month <= 12; month += 1) {
    const referenceMonth = `${year}-${String(month).padStart(2, '0')}`
    const charges = (await readSharedCharges(sql, companyId, referenceMonth)).filter(({ person }) => person !== null)
    if (charges.length === 0) continue
    const people = await readTaxPeople(sql, companyId, [
      ...new Set(charges.flatMap(({ person }) => [person?.memberId ?? [], person?.employeeMemberId ?? []].flat())),
    ])
    yield* figuresOfMonth(referenceMonth, charges, people, carriers)
  }
}

function* figuresOfMonth(
  month: Month,
  charges: readonly SharedCharge[],
  people: ReadonlyMap<string, TaxPerson>,
  carriers: ReadonlyMap<string, CarrierOfContract>,
): Generator<TaxFigures> {
  const byEmployee = [...Map.groupBy(charges, ({ person }) => person?.employeeMemberId ?? '')]
    .flatMap(([id, group]) => {
      const employee = people.get(id)
      return employee === undefined ? [] : [{ employee, group }]
    })
    .toSorted((a, b) => Number(a.employee.taxId > b.employee.taxId) * 2 - 1)
  for (const { employee, group } of byEmployee) {
    const figures = employeeFigures(
      group.map(({ contractId, amount, share, person }) => ({
        carrierTaxId: carriers.get(contractId)?.taxId ?? null,
        ansRegistration: carriers.get(contractId)?.ansRegistration ?? null,
        dependent:
          person === null || person.type === 'primary'
            ? null
            : { id: person.memberId, taxId: people.get(person.memberId)?.taxId ?? null },
        cost: amount,
        employeeCost: typeof share === 'number' ? share : null,
      })),
    )
    const declaration = employee.isEmployed ? 's-1210' : 'r-4010'
    if (figures !== null) yield { ...figures, month, employee, declaration }
  }
}

/** The figures of a month as JSON of the API. */
export function figuresJson({ month, employee, declaration, plans, deducted, wholeCost }: TaxFigures) {
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
]

/** The header of the CSV. */
export const figuresHead = `${byteOrderMark}${csvLine(headings)}${lineEnd}`

/** The lines of a month in the CSV: of each carrier one for the employee and one for each dependent. The natures are on the first one. */
export function figuresLines({ month, employee, declaration, plans, deducted, wholeCost }: TaxFigures): string {
  const [year = '', monthOfYear = ''] = month.split('-')
  const rows = plans.flatMap((plan) => [
    { plan, taxId: '', amount: plan.employee, errors: plan.errors.join(', ') },
    ...plan.dependents.map(({ taxId, amount }) => ({ plan, taxId: taxId ?? '', amount, errors: '' })),
  ])
  return rows
    .map(({ plan, taxId, amount, errors }, index) =>
      csvLine([
        `${monthOfYear}/${year}`,
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
      ]),
    )
    .map((line) => `${line}${lineEnd}`)
    .join('')
}

export interface CarrierOfContract {
  readonly contractId: string
  readonly taxId: string | null
  readonly ansRegistration: string | null
}

/** The CNPJ and the registration at the ANS by contract: its own, else those of its carrier. */
export async function readCarriers(sql: Sql, companyId: string): Promise<Map<string, CarrierOfContract>> {
  const rows = await sql.query<CarrierOfContract>(
    `select contract.id as "contractId", coalesce(contract.carrier_tax_id, carrier.tax_id) as "taxId",
       coalesce(contract.ans_registration, carrier.ans_registration) as "ansRegistration"
     from contract join carrier on carrier.id = contract.carrier_id where contract.company_id = $1`,
    [companyId],
  )
  return new Map(rows.map((row) => [row.contractId, row]))
}

export interface TaxPerson {
  readonly memberId: string
  readonly taxId: string
  readonly employeeId: string | null
  /** By `work-contract-type`: partners, who provide services and others are paid without employment. Unknown: employed. */
  readonly isEmployed: boolean
}

/** People by id, with what declarations name. */
export async function readTaxPeople(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, TaxPerson>> {
  const rows = await sql.query<TaxPerson>(
    `select id as "memberId", tax_id as "taxId", employee_id as "employeeId",
       coalesce(details->>'work-contract-type', '') not in ('services-contract', 'partner') as "isEmployed"
     from member where company_id = $1 and id = any($2::uuid[])`,
    [companyId, ids],
  )
  return new Map(rows.map((row) => [row.memberId, row]))
}
