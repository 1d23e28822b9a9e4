import { idsInOrder } from '../../core/uuid.ts'
import type { AcceptedMember } from '../../domain/inclusion.ts'

/** The COPY statement of `stagedRows`. */
export const copyStagedEnrollments = `copy staged_enrollment (company_id, request_id, chunk, enrollment_id, benefit_id, member_index, tax_id,
  type, primary_tax_id, dependent_type, product_id, product_name, start_date, scheduled_action_date, scheduled_reason, start_option, reference,
  data) from stdin`

/** Bounds of a chunk, one step of the worker. The products of one member are never divided. */
const maxMembers = 500
const maxEnrollments = 2_000

/** The request that members are staged for; its reference is that of the members without one. */
interface StagedRequest {
  readonly companyId: string
  readonly requestId: string
  readonly reference: string | null
}

/**
 * A row of `staged_enrollment` for each product of the accepted members, in COPY's text format, UTF-8. The bytes have an ArrayBuffer of
 * their own, so that a thread can transfer them.
 */
export function stagedRows(
  accepted: readonly AcceptedMember[],
  { companyId, requestId, reference }: StagedRequest,
): Uint8Array {
  const ids = idsInOrder(accepted.reduce((sum, { products }) => sum + 2 * products.length, 0)).values()
  const nextId = () => ids.next().value ?? null
  let [chunk, members, enrollments] = [0, 0, 0]
  const rows: string[] = []
  for (const member of accepted) {
    const { index, taxId, type, profile, documents, products } = member
    if (members === maxMembers || (members > 0 && enrollments + products.length > maxEnrollments)) {
      chunk += 1
      members = 0
      enrollments = 0
    }
    members += 1
    enrollments += products.length
    const { primaryTaxId, dependentType } = type === 'dependent' ? member : { primaryTaxId: null, dependentType: null }
    const ofClient = member.reference ?? reference
    const data = escaped(JSON.stringify({ ...profile, documents }))
    for (const product of products) {
      const { productId, productName, requestedStart, scheduledActionDate, scheduledReason, startOption } = product
      const ofMember = [index, taxId, type, primaryTaxId, dependentType]
      const ofProduct = [
        productId,
        escaped(productName),
        requestedStart,
        scheduledActionDate,
        scheduledReason,
        startOption,
      ]
      const ofMovement = [ofClient === null ? null : escaped(ofClient), data]
      rows.push(copyLine([companyId, requestId, chunk, nextId(), nextId(), ...ofMember, ...ofProduct, ...ofMovement]))
    }
  }
  return new TextEncoder().encode(rows.join(''))
}

/** A line of COPY's text format. */
export function copyLine(row: readonly (string | number | null)[]): string {
  return `${row.map((value) => value ?? '\\N').join('\t')}\n`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A text as a value of `copyLine`. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '')
}
