import { idsInOrder } from '../../platform/uuid.ts'
import type { AcceptedMember } from '../../domain/inclusion.ts'

/** Bounds of a chunk, one step of the worker. The products of one member are never divided. */
const maxMembers = 500
const maxEnrollments = 2_000

/**
 * The accepted members as JSON in UTF-8, for `acceptInclusion`: each with its chunk and, for each product, the ids of the enrollment and of the
 * benefit. The bytes have memory of their own, so that a thread can transfer them.
 */
export function stagedMembersJson(accepted: readonly AcceptedMember[]): Uint8Array {
  const ids = idsInOrder(accepted.reduce((sum, { products }) => sum + 2 * products.length, 0)).values()
  const nextId = () => ids.next().value
  let chunk = 0
  let [members, enrollments] = [0, 0]
  const rows = accepted.map((member) => {
    const { index, taxId, type, profile, documents, products } = member
    if (members === maxMembers || (members > 0 && enrollments + products.length > maxEnrollments)) {
      chunk += 1
      members = 0
      enrollments = 0
    }
    members += 1
    enrollments += products.length
    const { primaryTaxId, dependentType } = type === 'dependent' ? member : { primaryTaxId: null, dependentType: null }
    const data = { ...profile, documents }
    const staged = products.map(({ productId, productName, startDate, scheduledActionDate, scheduledReason }) => ({
      enrollmentId: nextId(),
      benefitId: nextId(),
      productId,
      productName,
      startDate,
      scheduledActionDate,
      scheduledReason,
    }))
    return { chunk, index, taxId, type, primaryTaxId, dependentType, data, products: staged }
  })
  return new TextEncoder().encode(JSON.stringify(rows))
}
