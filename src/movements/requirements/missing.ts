import type { Sql } from '../../core/database.ts'
import { daysBetween, type LocalDate } from '../../domain/calendar.ts'
import type { BeneficiaryType, MovementKind } from '../../domain/enums.ts'
import { ageOn, type MissingDocument, Requirements } from '../../domain/requirement.ts'
import { livesOfProduct, readRulesInForce } from '../../requirements/queries.ts'

/** A document that a movement lacks. */
export interface MissingOfProduct extends MissingDocument {
  readonly 'product-name': string
}

/** An exclusion or an alteration, as rules see it. */
interface RequestedMovement {
  readonly id: string
  readonly isPart: boolean
  readonly isScheduled: boolean
  readonly movement: MovementKind
  readonly beneficiaryType: BeneficiaryType
  readonly dependentType: string | null
  readonly workContractType: string | null
  readonly exclusionReason: string | null
  readonly dateOfBirth: LocalDate
  /** Of a dependent that of the primary. */
  readonly admissionDate: LocalDate | null
  readonly productId: string
  readonly productType: string
  readonly productName: string
  readonly carrierKey: string
  readonly companyTaxId: string
  readonly lives: string | null
  readonly documentTypes: readonly string[]
}

/** What an exclusion or an alteration lacks. */
export interface MissingOfOne {
  readonly missing: readonly MissingOfProduct[]
  /** It goes with the exclusion of the primary. */
  readonly isPart: boolean
  readonly isScheduled: boolean
}

/** What exclusions and alterations lack by the rules in force, by id. */
export async function missingOfRequested(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
  today: LocalDate,
): Promise<Map<string, MissingOfOne>> {
  const found = new Map<string, MissingOfOne>()
  const requirements = new Requirements(await readRulesInForce(sql, today))
  if (requirements.isEmpty || enrollmentIds.length === 0) return found
  for (const one of await readRequested(sql, companyId, enrollmentIds)) {
    const subject = {
      ...one,
      age: ageOn(one.dateOfBirth, today),
      daysSinceAdmission: one.admissionDate === null ? null : daysBetween(one.admissionDate, today),
      late: null,
    }
    const missing = requirements.missing(subject, new Set(one.documentTypes))
    if (missing.length === 0) continue
    const ofProduct = missing.map((document) => ({ 'product-name': one.productName, ...document }))
    found.set(one.id, { missing: ofProduct, isPart: one.isPart, isScheduled: one.isScheduled })
  }
  return found
}

/** A plan change needs the documents of the product that the person gets. */
async function readRequested(sql: Sql, companyId: string, ids: readonly string[]): Promise<RequestedMovement[]> {
  return sql.query<RequestedMovement>(
    `select enrollment.id, enrollment.primary_enrollment_id is not null as "isPart", enrollment.status = 'scheduled' as "isScheduled", enrollment.enrollment_type as movement,
       enrollment.member_type as "beneficiaryType", benefit.dependent_type as "dependentType",
       member.details->>'work-contract-type' as "workContractType",
       enrollment.data->'exclusion-details'->>'exclusion-reason' as "exclusionReason", member.date_of_birth as "dateOfBirth",
       case when enrollment.primary_member_id is null then member.admission_date else (select primary_member.admission_date
         from member primary_member where primary_member.company_id = $1 and primary_member.id = enrollment.primary_member_id)
         end as "admissionDate",
       product.id as "productId", product.product_type as "productType", enrollment.product_name as "productName",
       product.carrier_key as "carrierKey", company.tax_id as "companyTaxId", ${livesOfProduct} as lives,
       array(select document->>'document-type' from jsonb_array_elements(enrollment.data->'documents') document) as "documentTypes"
     from enrollment
     join benefit on benefit.company_id = $1 and benefit.id = enrollment.benefit_id
     join member on member.company_id = $1 and member.id = enrollment.member_id
     join company on company.id = coalesce(enrollment.destination_company_id, enrollment.company_id)
     join product on product.company_id = company.id
       and product.id = coalesce(enrollment.destination_product_id, enrollment.product_id)
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])
     order by enrollment.id`,
    [companyId, ids],
  )
}
