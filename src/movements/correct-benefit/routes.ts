import { type Static, Type } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { readBenefitForOperator, readCompanyOfBenefit } from '../../benefits/queries.ts'
import { Benefit, benefitExample } from '../../benefits/schema.ts'
import { updateBenefits } from '../../benefits/write.ts'
import type { ClientActor } from '../../core/actor.ts'
import type { Sql } from '../../core/database.ts'
import { ApiError, invalidBody } from '../../core/errors.ts'
import { corrected } from '../../core/events.ts'
import { required } from '../../core/log.ts'
import { write } from '../../core/write.ts'
import { CORRECTED_FIELDS, type CorrectedField } from '../../domain/benefit-correction.ts'
import { outOfRangeDates, outOfRangeDetails } from '../../domain/completion-fields.ts'
import { type App, callerOf, type Context } from '../../http/context.ts'
import { json } from '../../http/bodies.ts'
import { sendJson } from '../../http/json-response.ts'
import { route } from '../../http/route.ts'
import { Closed, errorResponses, noControls, Text, Uuid } from '../../http/schemas.ts'
import { Confirm } from '../decide/items.ts'
import { lockFamilies } from '../transition/families.ts'
import {
  type CorrectedBenefit,
  insertCorrections,
  isCardTaken,
  lockCard,
  isFamilyBroken,
  readCorrected,
} from './queries.ts'

const CorrectionBody = Closed(
  {
    'card-number': Type.Optional(Type.String({ ...Text, ...noControls })),
    'start-date': Type.Optional(Type.String({ format: 'date', description: 'The first day covered.' })),
    'end-date': Type.Optional(
      Type.String({ format: 'date', description: 'The last day covered, of a benefit that has one.' }),
    ),
    reason: Type.String({ ...Text, ...noControls }),
    confirm: Type.Optional(Confirm),
  },
  { examples: [{ 'card-number': '0045 1120 7799', reason: 'The carrier wrote another number' }] },
)

type Correction = Static<typeof CorrectionBody>

/** Corrects what the completion of a movement, or an import, said of a benefit. */
export async function correctionRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/benefit/:benefitId/correction',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'correctBenefit',
      'x-sdk': 'benefits.correct',
      'x-cli': {
        command: 'benefit correct',
        examples: {
          'benefit correct 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --card-number "0045 1120 7799" --reason "Typed wrong"':
            'the card number that was typed wrong',
        },
      },
      summary: 'Correct the card number, start or end of a benefit',
      description:
        'Of a benefit that is active or has ended. What was and what is are in `corrections` of its movements; clients get `benefit.updated`. ' +
        'A correction of the end neither ends a benefit nor brings it back. What is so already is not changed.',
      params: Type.Object({ benefitId: Uuid }),
      response: {
        200: Type.Object({ result: Benefit }, { examples: [{ result: benefitExample }] }),
        ...errorResponses(
          'before-start-date',
          'date-out-of-range',
          'benefit-not-found',
          'benefit-not-correctable',
          'duplicate-card',
        ),
      },
    },
    body: json(CorrectionBody),
    handler: async (request, reply) => {
      const id = request.params.benefitId.toLowerCase()
      await correctBenefit(context, callerOf(request), id, request.body)
      return sendJson(reply, required(await readBenefitForOperator(context.database, id), 'benefit'))
    },
  })
}

async function correctBenefit(context: Context, actor: ClientActor, id: string, correction: Correction): Promise<void> {
  const { 'start-date': startDate, 'end-date': endDate, confirm } = correction
  const dates = { startDate: startDate ?? null, endDate: endDate ?? null }
  const far = confirm === true ? [] : outOfRangeDates(dates, context.today())
  if (far.length > 0) throw invalidBody(outOfRangeDetails(far), 'date-out-of-range')
  const companyId = await readCompanyOfBenefit(context.database, id)
  const lock = (sql: Sql) => lockFamilies(sql, companyId, [id])
  await write(context, actor, { may: ['analyst'], lock }, async (tx) => {
    const benefit = await readCorrected(tx, companyId, id)
    if (benefit === undefined) throw new ApiError('benefit-not-found')
    const changes = changesOf(benefit, correction)
    const changed = new Map(changes.map((change) => [change.field, change.new]))
    if (changes.length === 0) return
    judge(benefit, changed, context.today())
    const cardNumber = changed.get('card-number')
    if (cardNumber !== undefined) {
      await lockCard(tx, companyId, cardNumber)
      if (await isCardTaken(tx, companyId, id, cardNumber)) throw new ApiError('duplicate-card')
    }
    const at = tx.at()
    const [updated] = await updateBenefits(tx, at, {
      set: {
        card_number: 'coalesce($3::text, benefit.card_number)',
        start_date: 'coalesce($4::date, benefit.start_date)',
        end_date: 'coalesce($5::date, benefit.end_date)',
      },
      where: 'benefit.company_id = $1 and benefit.id = $2',
      values: [companyId, id, cardNumber ?? null, changed.get('start-date') ?? null, changed.get('end-date') ?? null],
    })
    const changesDates = changed.has('start-date') || changed.has('end-date')
    if (changesDates && (await isFamilyBroken(tx, companyId, id))) throw new ApiError('benefit-not-correctable')
    const rows = changes.map((change) => ({ ...change, id: uuidv7() }))
    const reason = correction.reason.trim()
    await insertCorrections(tx, { companyId, benefitId: id, reason, author: actor.clientId, at, rows })
    tx.emit(companyId, corrected(required(updated, 'benefit')))
    tx.audit({ action: 'benefit.updated', target: id, companyId })
  })
}

interface Change {
  readonly field: CorrectedField
  readonly old: string | null
  readonly new: string
}

/** What differs from what is. */
function changesOf(benefit: CorrectedBenefit, correction: Correction): Change[] {
  const present = {
    'card-number': benefit.cardNumber,
    'start-date': benefit.startDate,
    'end-date': benefit.endDate,
  } satisfies Record<CorrectedField, string | null>
  return CORRECTED_FIELDS.flatMap((field) => {
    const asked = correction[field]?.trim()
    return asked === undefined || asked === '' || asked === present[field]
      ? []
      : [{ field, old: present[field], new: asked }]
  })
}

/** @throws ApiError for a benefit, or a date of it, that cannot be corrected by itself. */
function judge(benefit: CorrectedBenefit, changed: ReadonlyMap<CorrectedField, string>, today: string): void {
  const { status, endDate } = benefit
  if (status === 'pending') throw new ApiError('benefit-not-correctable')
  const end = changed.get('end-date')
  const start = changed.get('start-date')
  if (end === undefined && start === undefined) return
  const isVoid = endDate !== null && endDate < benefit.startDate
  if (benefit.isBound || benefit.isExtended || isVoid) throw new ApiError('benefit-not-correctable')
  if (end !== undefined && (endDate === null || end <= today !== (status === 'inactive'))) {
    throw new ApiError('benefit-not-correctable')
  }
  const [first, last] = [start ?? benefit.startDate, end ?? endDate]
  if (last !== null && last < first) {
    const field = end === undefined ? 'start-date' : 'end-date'
    throw invalidBody([{ field, code: 'before-start-date' }], 'before-start-date')
  }
}
