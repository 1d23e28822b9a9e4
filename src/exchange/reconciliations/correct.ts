import type { ClientActor } from '#platform/core/actor.ts'
import { discrepancyCorrected } from '#platform/core/events.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import type { Sql } from '#platform/core/database.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { intakeBy } from '#movements/rules/intake.ts'
import { parseAlteration } from '#movements/rules/alteration-data.ts'
import type { ExclusionReason } from '#kernel/enums.ts'
import { CORRECTABLE_CLASSES, type CorrectableClass } from '#kernel/reconciliation.ts'
import type { Context } from '#platform/http/context.ts'
import { alter } from '#movements/alter/alter.ts'
import { acceptBatch } from '#movements/batch/accept.ts'
import { BatchShapeError } from '#movements/batch/parse-and-judge.ts'
import { correctWithin } from '#movements/correct-benefit/correct.ts'
import { exclude } from '#movements/exclude/exclude.ts'
import { inclusion } from '#movements/include/queries.ts'
import { lockFamilies } from '#movements/transition/families.ts'
import { type CorrectableDiscrepancy, findCorrectable, markCorrected } from './discrepancy-queries.ts'

/** The roles that correct what differs, beside `admin`: those that request movements. */
export const mayCorrect = ['analyst'] as const

/** What an operator says in place of the carrier, or because the carrier does not say it. */
interface Correction {
  /** For an exclusion: the last day covered. */
  readonly endDate: string | null
  readonly exclusionReason: ExclusionReason
  /** For an inclusion or an alteration, in wire keys. */
  readonly member: Readonly<Record<string, unknown>>
}

type Correct = (
  context: Context,
  actor: ClientActor,
  discrepancy: CorrectableDiscrepancy,
  correction: Correction,
  mark: (tx: Tx, requestId: string | null) => Promise<void>,
) => Promise<void>

/** What takes over what the carrier has. */
const corrections: Readonly<Record<CorrectableClass, Correct>> = {
  'unknown-here': include,
  'missing-at-carrier': excludeMember,
  'ended-at-carrier-active-here': excludeMember,
  'plan-differs': (...all) => alterMember(...all, ({ linePlan }) => ({ 'new-product-id': linePlan?.productId })),
  'name-differs': (...all) => alterMember(...all, ({ line }) => ({ name: line?.name })),
  'date-of-birth-differs': (...all) => alterMember(...all, ({ line }) => ({ 'date-of-birth': line?.dateOfBirth })),
  'tax-id-differs': (...all) => alterMember(...all, ({ line }) => ({ 'tax-id': line?.taxId })),
  'start-date-differs': (...all) =>
    correctBenefit(...all, ({ line }) => ({ 'start-date': line?.startDate ?? undefined })),
  'card-number-missing-here': (...all) =>
    correctBenefit(...all, ({ line }) => ({ 'card-number': line?.cardNumber ?? undefined })),
}

/**
 * Takes over what the carrier has: by an inclusion, an exclusion or an alteration, which is decided as every other movement, or in the benefit.
 * @throws ApiError 404, 409 for what cannot be corrected here, and the errors of the movement; then nothing is stored.
 */
export async function correctDiscrepancy(
  context: Context,
  actor: ClientActor,
  id: string,
  correction: Correction,
): Promise<void> {
  const discrepancy = await findCorrectable(context.database, id)
  if (discrepancy === null) throw new ApiError('discrepancy-not-found')
  const correctable = CORRECTABLE_CLASSES.find((name) => name === discrepancy.class)
  const isDone = discrepancy.status === 'claimed' || discrepancy.status === 'corrected'
  if (correctable === undefined || isDone || discrepancy.isClosed) throw notCorrectable()
  const { companyId, kind, isShown } = discrepancy
  await corrections[correctable](context, actor, discrepancy, correction, async (tx, requestId) => {
    if (!(await markCorrected(tx, companyId, id, requestId, tx.at()))) throw notCorrectable()
    tx.audit({ action: 'discrepancy.corrected', target: id, companyId })
    if (isShown) tx.emit(companyId, discrepancyCorrected({ id, kind, class: correctable, requestId }))
  })
}

const notCorrectable = () => new ApiError('discrepancy-not-correctable')

/** The person of the discrepancy here. @throws ApiError 409 for one who is unknown here. */
function memberOf({ benefitId, memberId, memberTaxId }: CorrectableDiscrepancy) {
  if (benefitId === null || memberId === null || memberTaxId === null) throw notCorrectable()
  return { benefitId, memberId, memberTaxId }
}

type FieldsOf = (discrepancy: CorrectableDiscrepancy) => Readonly<Record<string, string | null | undefined>>

async function correctBenefit(
  context: Context,
  actor: ClientActor,
  discrepancy: CorrectableDiscrepancy,
  _correction: Correction,
  mark: Parameters<Correct>[4],
  fieldsOf: FieldsOf,
): Promise<void> {
  const { companyId } = discrepancy
  const { benefitId } = memberOf(discrepancy)
  const lock = (sql: Sql) => lockFamilies(sql, companyId, [benefitId])
  await write(context, actor, { may: mayCorrect, lock }, async (tx) => {
    const reason = 'As the carrier’s roster has it'
    await correctWithin(tx, context.today(), companyId, benefitId, { ...fieldsOf(discrepancy), reason })
    await mark(tx, null)
  })
}

async function excludeMember(
  context: Context,
  actor: ClientActor,
  discrepancy: CorrectableDiscrepancy,
  { endDate: given, exclusionReason }: Correction,
  mark: Parameters<Correct>[4],
): Promise<void> {
  const { companyId, line } = discrepancy
  const { benefitId, memberId } = memberOf(discrepancy)
  const endDate = given ?? line?.endDate ?? null
  if (endDate === null) throw invalidBody([{ field: 'end-date', code: 'missing' }])
  await exclude(context, actor, {
    memberships: [{ companyId, memberId }],
    target: { by: 'benefit', benefitId },
    details: {
      'end-date': endDate,
      'exclusion-reason': exclusionReason,
      'exclusion-reason-details': exclusionReason === 'other' ? 'Ended at the carrier' : null,
      'extension-plan': false,
      documents: [],
    },
    ...byCarrier(context),
    also: mark,
  })
}

/** What a movement has that takes over what the carrier has: the carrier needs no documents. */
const byCarrier = ({ database }: Context) => ({
  reference: null,
  sandbox: null,
  resolution: null,
  needsDocuments: false,
  intake: intakeBy('carrier-portal', database.now()),
})

async function alterMember(
  context: Context,
  actor: ClientActor,
  discrepancy: CorrectableDiscrepancy,
  { member }: Correction,
  mark: Parameters<Correct>[4],
  fieldsOf: FieldsOf,
): Promise<void> {
  const { companyId } = discrepancy
  const { memberId } = memberOf(discrepancy)
  const fields = Object.entries({ ...fieldsOf(discrepancy), ...member })
  const data = Object.fromEntries(fields.filter(([, value]) => value !== null && value !== undefined))
  const parsed = parseAlteration({ 'alteration-data': data }, context.today())
  if (!parsed.ok) throw invalidBody(parsed.details, parsed.code)
  const subject = { companyId, memberId, destinationCompanyId: companyId }
  await alter(context, actor, { ...subject, ...byCarrier(context), request: parsed.value, also: mark })
}

async function include(
  context: Context,
  actor: ClientActor,
  discrepancy: CorrectableDiscrepancy,
  { member }: Correction,
  mark: Parameters<Correct>[4],
): Promise<void> {
  const { companyTaxId, line, linePlan, benefitId, primaryTaxId } = discrepancy
  // The inclusion of the person is open already.
  if (line === null || benefitId !== null) throw notCorrectable()
  const isDependent = line.memberType === 'dependent'
  const { 'primary-tax-id': _, ...details } = line.details ?? {}
  const known = {
    'beneficiary-type': line.memberType ?? 'primary',
    'tax-id': line.taxId,
    name: line.name,
    'date-of-birth': line.dateOfBirth,
    'employee-id': isDependent ? null : line.employeeId,
    ...(isDependent ? { 'primary-member-tax-id': primaryTaxId, 'dependent-type': line.dependentType } : {}),
    ...details,
    ...(linePlan === null
      ? {}
      : {
          products: { [linePlan.productType]: [{ name: linePlan.productName, 'start-option': linePlan.startOption }] },
        }),
  }
  const sent = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null && value !== undefined))
  const body = Buffer.from(JSON.stringify({ 'company-tax-id': companyTaxId, members: [{ ...sent, ...member }] }))
  const { isAccepted, lists } = await acceptBatch(inclusion, context, actor, {
    body,
    dryRun: false,
    lenient: false,
    resolution: null,
    saveResponse: async () => {},
    language: 'en',
    intake: intakeBy('carrier-portal', context.database.now()),
    also: mark,
  }).catch((error: unknown) => {
    throw error instanceof BatchShapeError ? invalidBody(error.details) : error
  })
  if (!isAccepted) throw new ApiError('invalid-members', JSON.parse(`{${lists.join()}}`) as Record<string, unknown>)
}
