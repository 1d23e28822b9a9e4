import { Records } from '../../core/records.ts'
import { route } from '../../http/route.ts'
import { json } from '../../http/bodies.ts'
import { required } from '../../core/log.ts'
import type { Sql } from '../../core/database.ts'
import { type Static, Type } from 'typebox'
import type { Actor } from '../../core/actor.ts'
import { type Tx, write } from '../../core/write.ts'
import { sendJson } from '../../http/json-response.ts'
import { deletePendingReplacements, endBenefits, readExtended } from '../transition/exclusion-queries.ts'
import { closeMovementsOfEnded } from '../transition/close-ended.ts'
import { endWithPrimaries, lockFamilies } from '../transition/families.ts'
import { deactivated } from '../../core/events.ts'
import { ApiError, invalidBody } from '../../core/errors.ts'
import { readBenefitForOperator, readCompanyOfBenefit } from '../../benefits/queries.ts'
import { OperatorBenefit, operatorBenefitExample } from '../../benefits/schema.ts'
import type { LocalDate } from '../../domain/calendar.ts'
import { outOfRangeDates, outOfRangeDetails } from '../../domain/completion-fields.ts'
import { earlier, lastDay, ownEnd } from '../../domain/exclusion.ts'
import { type App, callerOf, type Context } from '../../http/context.ts'
import { Closed, errorResponses, noControls, Text, Uuid } from '../../http/schemas.ts'
import { Confirm } from '../decide/items.ts'

const EndBody = Closed(
  {
    'end-date': Type.String({ format: 'date', description: 'The last day covered.' }),
    reason: Type.String({ ...Text, ...noControls }),
    confirm: Type.Optional(Confirm),
  },
  {
    examples: [{ 'end-date': '2026-11-30', reason: 'Legal term of the extension ended' }],
  },
)

/** Ends benefits of an extension plan (Lei 9.656 arts. 30 and 31), a primary's together with its dependents'. */
export async function benefitRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/benefit/:benefitId/end',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'endBenefit',
      'x-sdk': 'benefits.end',
      'x-cli': {
        command: 'benefit end',
        examples: {
          'benefit end 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --end-date 2026-11-30 --reason "Legal term ended"':
            'and those of its dependents',
        },
      },
      summary: 'End a benefit of an extension plan',
      description:
        'Sets the last day: the benefit is inactive at once when that day has come, else from that day on. The end of a primary’s ' +
        'benefit also ends the dependents’ benefits of the product. The reason is stored with each of them.',
      params: Type.Object({ benefitId: Uuid }),
      response: {
        200: Type.Object({ result: OperatorBenefit }, { examples: [{ result: operatorBenefitExample }] }),
        ...errorResponses(
          'before-start-date',
          'date-out-of-range',
          'benefit-not-found',
          'benefit-not-under-extension-plan',
        ),
      },
    },
    body: json(EndBody),
    handler: async (request, reply) => {
      const id = request.params.benefitId.toLowerCase()
      await endBenefit(context, callerOf(request), id, request.body)
      return sendJson(reply, required(await readBenefitForOperator(context.database, id), 'benefit'))
    },
  })
}

async function endBenefit(
  context: Context,
  actor: Actor,
  id: string,
  { 'end-date': endDate, reason, confirm }: Static<typeof EndBody>,
): Promise<void> {
  const far = confirm === true ? [] : outOfRangeDates({ endDate }, context.today())
  if (far.length > 0) throw invalidBody(outOfRangeDetails(far), 'date-out-of-range')
  const companyId = await readCompanyOfBenefit(context.database, id)
  const lock = (sql: Sql) => lockFamilies(sql, companyId, [id])
  await write(context, actor, { may: ['analyst'], lock }, (tx) =>
    endFamily(tx, context, companyId, id, { endDate, reason }),
  )
}

/**
 * Ends a benefit of an extension plan with those of its dependents, whose families the caller has locked.
 * @throws ApiError 400 for a day before its start, 409 when no extension plan keeps it.
 */
export async function endFamily(
  sql: Tx,
  context: Context,
  companyId: string,
  id: string,
  { endDate, reason }: { readonly endDate: LocalDate; readonly reason: string },
): Promise<void> {
  const at = sql.at()
  let family = await readExtended(sql, companyId, id)
  const keys = family.map((member) => ({ companyId, id: member.id }))
  // The deletion restores the ends that the benefits had before the plan changes.
  if ((await deletePendingReplacements(sql, at, keys)) > 0) family = await readExtended(sql, companyId, id)
  const [named] = family
  if (named === undefined) throw new ApiError('benefit-not-under-extension-plan')
  if (endDate < named.startDate) {
    throw invalidBody([{ field: 'end-date', code: 'before-start-date' }], 'before-start-date')
  }
  const endings = family.map((member) => ({
    id: member.id,
    endDate: lastDay(member === named ? endDate : earlier(endDate, ownEnd(member, named)), member.startDate),
    extended: false,
    reason: reason.trim(),
  }))
  const ended = await endBenefits({ sql, companyId, at }, context.today(), endings)
  ended.push(...(await endWithPrimaries(sql, at, context.today(), Records.of(keys))))
  sql.emit(companyId, ended.map(deactivated))
  await closeMovementsOfEnded(
    sql,
    companyId,
    ended.map(({ id: endedId }) => endedId),
    context,
  )
  sql.audit(family.map(({ id: target }) => ({ action: 'benefit.ended', target, companyId })))
}
