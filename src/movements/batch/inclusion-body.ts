import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { idsInOrder } from '#platform/core/uuid.ts'
import { type Batch, parseBatch } from '../rules/inclusion-batch.ts'
import { nearest } from '#kernel/nearest.ts'
import { unknownFields } from '../rules/entry-warnings.ts'
import type { InclusionFacts } from '../rules/inclusion-facts.ts'
import { type AcceptedMember, judge } from '../rules/inclusion.ts'
import { reference } from '#kernel/reference.ts'
import type { FieldError } from '#kernel/fields.ts'
import type { Intake } from '../rules/intake.ts'
import type { MovementItem } from './items.ts'
import type { ReadOptions } from './read-options.ts'
import {
  type BatchSummary,
  checkShape,
  finishBatch,
  type FinishedBatch,
  type FinishOptions,
  parseBody,
  readIntake,
} from './parse-and-judge.ts'

/** A parsed body, before the facts of its company are known. */
interface ReadInclusionBody {
  readonly companyTaxId: string
  readonly reference: string | null
  readonly intake: Intake | null
  readonly batch: Batch
  readonly unknownFields: readonly string[]
}

const BODY_FIELDS: ReadonlySet<string> = new Set(['company-tax-id', 'members', 'reference'])

/**
 * Parses a body and reads its members one by one.
 * @param options above limits other than `batchLimits` the body must be parsed in a thread.
 * @throws BatchShapeError, and TooManyValuesError above such limits.
 */
export function readInclusionBody(body: Buffer, { limits, typedAt }: ReadOptions = {}): ReadInclusionBody {
  const sent = parseBody(body, limits)
  const details: FieldError[] = []
  const { intake, rest } = readIntake(sent, typedAt, details)
  const ofClient = reference.parse(rest['reference'])
  if (ofClient === null) details.push({ field: 'reference', code: 'invalid' })
  const { companyTaxId, members } = checkShape(rest, details)
  const unknown = unknownFields(rest, BODY_FIELDS)
  return { companyTaxId, reference: ofClient ?? null, intake, batch: parseBatch(members), unknownFields: unknown }
}

export function summarizeInclusions({
  companyTaxId,
  reference: ofClient,
  intake,
  batch,
}: ReadInclusionBody): BatchSummary {
  const { taxIds, primaryTaxIds, entries } = batch
  const documentIds = [...new Set([...batch.documentIds, ...(intake?.documents ?? [])])]
  const sandboxAt = entries.find(
    ({ sandbox, offenses }) => sandbox !== null || offenses.includes('invalid-sandbox'),
  )?.index
  const ofEntries = { taxIds, primaryTaxIds, size: entries.length, sandboxAt }
  return { companyTaxId, reference: ofClient, intake, documentIds, ...ofEntries }
}

/** Judges a body by the facts of its company. */
export function finishInclusionBody(
  body: ReadInclusionBody,
  facts: InclusionFacts,
  options: FinishOptions,
): FinishedBatch {
  const { rejected, accepted, warnings, missingDocuments } = judge(body.batch, facts)
  const ofBody = body.unknownFields.map((field) => {
    const suggestion = nearest(field, [...BODY_FIELDS])
    return { warning: 'unknown-field', field, ...(suggestion !== null && { suggestion }) }
  })
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
