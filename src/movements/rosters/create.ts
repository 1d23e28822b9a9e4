import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import { reference } from '#kernel/reference.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { mayRequest, noSuchCompany } from '#platform/core/may-request.ts'
import { type SaveResponse, write } from '#platform/core/write.ts'
import type { Body } from '#platform/http/bodies.ts'
import type { Context } from '#platform/http/context.ts'
import { validator } from '#platform/http/validation.ts'
import { isObject } from '#kernel/fields.ts'
import { companyIdsOf } from '#registry/companies/queries.ts'
import { useDocuments } from '#registry/documents/queries.ts'
import { unusableEvidence } from '../batch/accept.ts'
import { withIntake } from '../intake/schema.ts'
import { type Intake, parseIntake } from '../rules/intake.ts'
import { readSyncFor } from './queries.ts'
import { insertSync, lockUnfinishedSyncs, unknownProducts } from './rows.ts'
import { RosterSyncBody } from './schema.ts'

/** So many roster syncs of a company may wait for their list, or for its comparison. */
const MAX_UNFINISHED_SYNCS = 3
const maxAgeDays = 31

interface SentSync {
  readonly body: RosterSyncBody
  readonly asOf: LocalDate
  readonly reference: string | null
  /** null: a partner's. */
  readonly intake: Intake | null
}

const validate = validator(RosterSyncBody, 'body')

/** The body of a new roster sync; that of an operator has `intake`. */
export const syncBody = (context: Context, kind: ClientActor['kind']): Body<SentSync> => ({
  schema: kind === 'operator' ? withIntake(RosterSyncBody) : RosterSyncBody,
  validate: (data) => {
    if (!isObject(data)) return { error: invalidBody() }
    const today = context.today()
    const { intake: sentIntake, ...sent } = data
    const intake = kind === 'operator' ? parseIntake(sentIntake, { now: context.database.now(), today }) : null
    const valid = validate(kind === 'operator' ? sent : data)
    if ('error' in valid) return valid
    const body = valid.value as RosterSyncBody
    const asOf = body['as-of'] ?? today
    const name = reference.parse(body.reference)
    const details: Detail[] = [
      ...(asOf > today || asOf < addDays(today, -maxAgeDays)
        ? [{ field: 'as-of', code: 'invalid', message: { key: 'within-a-month' } } as const]
        : []),
      ...(name === null ? [{ field: 'reference', code: 'invalid' } as const] : []),
      ...(isErrors(intake) ? intake : []),
    ]
    if (details.length > 0 || isErrors(intake)) return { error: invalidBody(details) }
    return { value: { body, asOf, reference: name ?? null, intake } }
  },
})

const isErrors = (
  intake: ReturnType<typeof parseIntake> | null,
): intake is Exclude<ReturnType<typeof parseIntake>, Intake> => Array.isArray(intake)

/**
 * Makes a roster sync that waits for its list.
 * @returns `{ "result": RosterSync }`.
 * @throws ApiError 400, 401, 403, 404 or 409.
 */
export async function createSync(
  context: Context,
  actor: ClientActor,
  { body, asOf, reference: name, intake }: SentSync,
  saveResponse: SaveResponse,
): Promise<string> {
  const { 'company-tax-id': taxId } = body
  const companyId = (await companyIdsOf(context.database, [taxId])).get(taxId)
  if (companyId === undefined) throw noSuchCompany(actor)
  const within = sortedWithin(body.within ?? {})
  const id = uuidv7()
  const companies = { ids: [companyId], entitled: 'all', error: () => noSuchCompany(actor) } as const
  return write(context, actor, { may: mayRequest(actor), companies, saveResponse }, async (tx) => {
    const ids = body.within?.['product-ids'] ?? []
    const unknown = new Set(await unknownProducts(tx, companyId, ids))
    if (unknown.size > 0) {
      throw invalidBody(
        ids.flatMap((product, index) =>
          unknown.has(product) ? [{ field: `within.product-ids[${index}]`, code: 'unknown' } as const] : [],
        ),
      )
    }
    if ((await lockUnfinishedSyncs(tx, companyId)) >= MAX_UNFINISHED_SYNCS) throw new ApiError('too-many-roster-syncs')
    await insertSync(tx, actor, {
      id,
      companyId,
      states: body.states,
      within,
      scopeKey: scopeKeyOf(within),
      asOf,
      peopleCount: body['people-count'] ?? null,
      defaults: body.defaults ?? {},
      acceptDoubts: body['accept-doubts'] ?? [],
      automatic: body.automatic ?? false,
      reference: name,
      intake,
    })
    if (!(await useDocuments(tx, actor, companyId, id, intake?.documents ?? []))) throw invalidBody([unusableEvidence])
    tx.audit({ action: 'roster-sync.created', target: id, companyId })
    const response = await readSyncFor(tx, actor, id)
    tx.respond(response, [companyId])
    return response
  })
}

/** The same scope in one form: the keys that narrow it, each with its values in order. */
function sortedWithin(within: NonNullable<RosterSyncBody['within']>): Readonly<Record<string, readonly string[]>> {
  const lists = Object.entries(within as Readonly<Record<string, readonly string[]>>)
  return Object.fromEntries(
    lists
      .filter(([, values]) => values.length > 0)
      .map(([key, values]) => [key, [...new Set(values.map((value) => value.trim()))].toSorted()] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

const scopeKeyOf = (within: object): string => createHash('sha256').update(JSON.stringify(within)).digest('hex')
