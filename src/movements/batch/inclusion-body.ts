import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { idsInOrder } from '#platform/core/uuid.ts'
import { type Batch, parseBatch, unknownFields } from '../rules/inclusion-batch.ts'
import type { InclusionFacts } from '../rules/inclusion-facts.ts'
import { type AcceptedMember, judge } from '../rules/inclusion.ts'
import { reference } from '#kernel/reference.ts'
import { batchLimits, type JsonLimits } from '#platform/http/strict-json.ts'
import type { MovementItem } from './items.ts'
import {
  type BatchSummary,
  checkShape,
  finishBatch,
  type FinishedBatch,
  type FinishOptions,
  parseBody,
} from './parse-and-judge.ts'

/** A parsed body, before the facts of its company are known. */
interface ReadInclusionBody {
  readonly companyTaxId: string
  readonly reference: string | null
  readonly batch: Batch
  readonly unknownFields: readonly string[]
}

const BODY_FIELDS: ReadonlySet<string> = new Set(['company-tax-id', 'members', 'reference'])

/**
 * Parses a body and reads its members one by one.
 * @param limits above others than `batchLimits` the body must be parsed in a thread.
 * @throws BatchShapeError, and TooManyValuesError above such limits.
 */
export function readInclusionBody(body: Buffer, limits: JsonLimits = batchLimits): ReadInclusionBody {
  const sent = parseBody(body, limits)
  const ofClient = reference.parse(sent['reference'])
  const { companyTaxId, members } = checkShape(sent, ofClient === null ? [{ field: 'reference', code: 'invalid' }] : [])
  const unknown = unknownFields(sent, BODY_FIELDS)
  return { companyTaxId, reference: ofClient ?? null, batch: parseBatch(members), unknownFields: unknown }
}

export function summarizeInclusions({ companyTaxId, reference: ofClient, batch }: ReadInclusionBody): BatchSummary {
  const { taxIds, primaryTaxIds, documentIds, entries } = batch
  const sandboxAt = entries.find(
    ({ sandbox, offenses }) => sandbox !== null || offenses.includes('invalid-sandbox'),
  )?.index
  return { companyTaxId, reference: ofClient, taxIds, primaryTaxIds, documentIds, size: entries.length, sandboxAt }
}

/** Judges a body by the facts of its company. */
export function finishInclusionBody(
  body: ReadInclusionBody,
  facts: InclusionFacts,
  options: FinishOptions,
): FinishedBatch {
  const { rejected, accepted, warnings, missingDocuments } = judge(body.batch, facts)
  const ofBody = body.unknownFields.map((field) => ({ warning: 'unknown-field', field }))
  return finishBatch({ rejected, accepted, warnings: [...ofBody, ...warnings], missingDocuments }, options, {
    kind: 'inclusion',
    documentsOf: ({ documents }) => documents,
    familiesOf: (members) => inclusionFamilies(members, body.reference),
  })
}

/** An item for each product of the members, primaries before their dependents. A family larger than a chunk is divided: a step is short. */
function inclusionFamilies(accepted: readonly AcceptedMember[], ofRequest: string | null): MovementItem[][] {
  const ids = idsInOrder(accepted.reduce((sum, { products }) => sum + 2 * products.length, 0)).values()
  const nextId = () => ids.next().value
  const families = Map.groupBy(accepted, (member) => primaryOf(member) ?? member.taxId).values()
  return [...families].flatMap((family) => {
    const items = family.map((member) => memberItems(member, ofRequest, nextId))
    const all = items.flat()
    return all.length > CHUNK_SIZE ? items : [all]
  })
}

const primaryOf = ({ type, primaryTaxId }: AcceptedMember) => (type === 'dependent' ? primaryTaxId : null)

function memberItems(
  member: AcceptedMember,
  ofRequest: string | null,
  nextId: () => string | undefined,
): MovementItem[] {
  const { index, taxId, type, dependentType, profile, documents, sandbox, products } = member
  const primaryTaxId = primaryOf(member)
  const data = { ...profile, documents }
  return products.map(
    ({ productId, productName, requestedStart, scheduledActionDate, scheduledReason, startOption, pendingItems }) => ({
      subject: `${taxId} ${productId} ${type}`,
      requires: primaryTaxId === null ? null : `${primaryTaxId} ${productId} primary`,
      taxId,
      type,
      reference: member.reference ?? ofRequest,
      // What is undefined is left out of the JSON, for less to copy.
      payload: {
        entry: index,
        enrollment_id: nextId(),
        benefit_id: nextId(),
        primary_tax_id: primaryTaxId ?? undefined,
        dependent_type: primaryTaxId === null ? undefined : dependentType,
        product_id: productId,
        product_name: productName,
        start_date: requestedStart,
        scheduled_action_date: scheduledActionDate ?? undefined,
        scheduled_reason: scheduledReason ?? undefined,
        start_option: startOption,
        sandbox: sandbox ?? undefined,
        pending_items: pendingItems,
        data,
      },
    }),
  )
}
