import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { recordAccessedCompanies, responseSaver } from '../../http/idempotency/idempotency.ts'
import { requireActiveClient } from '../../http/active-client.ts'
import type { Caller } from '../../http/caller.ts'
import type { Sql } from '../../platform/database.ts'
import { useDocuments, usableDocuments } from '../../documents/queries.ts'
import { invalidBody, notEntitled, unavailable } from '../../platform/errors.ts'
import type { Resolution } from '../../domain/enums.ts'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { ConcurrencyLimit } from '../../http/limits/concurrency-limit.ts'
import { type App, callerOf, requestOrigin, type Context } from '../../http/context.ts'
import { validator } from '../../http/validation.ts'
import { errorAnswers } from '../../http/schemas.ts'
import { countRequests } from '../accepted.ts'
import { refuseResolution } from '../resolution-parameter.ts'
import {
  BatchShapeError,
  BatchUnavailableError,
  type FinishedBatch,
  openBatch,
  type OpenBatch,
  stopBatchThreads,
  THREAD_FROM_BYTES,
} from './batch.ts'
import { acceptInclusion, type CompanyFacts, readCompanyFacts } from './queries.ts'
import { InclusionAnswer, InclusionBody, InclusionQuery, InclusionRefused } from './schema.ts'

const inclusionBodyLimit = 16 * 1024 * 1024

/** `POST /v1/enrollment/inclusion`: a batch of primaries and dependents. */
export async function inclusionRoutes(app: App, context: Context): Promise<void> {
  // The body stays bytes: large ones are parsed and judged in a thread.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: inclusionBodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  app.addHook('onClose', () => stopBatchThreads())
  countRequests(app, 'inclusion')
  const largeBatches = new ConcurrencyLimit({ max: context.config.limits.largeBatches, retryAfterSeconds: 2 })
  app.route({
    method: 'POST',
    url: '/v1/enrollment/inclusion',
    bodyLimit: inclusionBodyLimit,
    config: { api: 'partner' },
    schema: {
      operationId: 'includeMembers',
      tags: ['movements'],
      summary: 'Include members in products',
      description:
        'Takes 1 to 10,000 primaries and dependents in one flat array (16 MiB). Every member is judged in one pass; when any ' +
        'offends, nothing is kept and the answer lists all offenses, unless `Prefer: handling=lenient` asks to take the rest. ' +
        'Asynchronous: read `GET /v1/request/{request-id}`. With `dry-run=true` the batch is only judged: nothing is kept.',
      headers: Type.Object({
        prefer: Type.Optional(
          Type.String({ description: '`handling=lenient` takes the members without offenses (RFC 7240).' }),
        ),
      }),
      querystring: InclusionQuery,
      body: InclusionBody,
      response: { 200: InclusionAnswer, 400: InclusionRefused, ...errorAnswers(401, 403, 413, 415, 503) },
    },
    // The body is bytes here: `openBatch` parses and validates it.
    validatorCompiler: ({ schema, httpPart }) =>
      httpPart === 'body' ? (value: unknown) => ({ value }) : validator(schema as TSchema, httpPart as 'headers'),
    onRequest: refuseResolution(context),
    handler: async (request, reply) => {
      const body: unknown = request.body
      if (!Buffer.isBuffer(body)) throw invalidBody()
      try {
        const take = () => takeBatch(context, request, reply, body, request.query.resolution ?? null)
        return body.length < THREAD_FROM_BYTES ? await take() : await largeBatches.run(callerOf(request).clientId, take)
      } catch (error) {
        if (error instanceof BatchShapeError) throw invalidBody(error.details)
        if (error instanceof BatchUnavailableError) throw unavailable('Too many large batches at once')
        throw error
      }
    },
  })
}

/** Another request used a document between the judgement and the acceptance. */
class DocumentsTakenError extends Error {}

async function takeBatch(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  resolution: Resolution | null,
): Promise<void> {
  for (;;) {
    const batch = await openBatch(body)
    try {
      return await include(context, request, reply, batch, resolution)
    } catch (error) {
      if (!(error instanceof DocumentsTakenError)) throw error
      // Judged once more, the members who lost are told. A large body has gone to a thread: it must be sent again.
      if (body.length === 0) throw unavailable()
    } finally {
      batch.close()
    }
  }
}

async function include(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  batch: OpenBatch,
  resolution: Resolution | null,
): Promise<void> {
  const caller = callerOf(request)
  const today = context.today()
  const [facts] = await Promise.all([readFacts(context, caller, batch), prepare(context, batch)])
  if (facts.companyId === null) throw notEntitled('company')
  recordAccessedCompanies(request, [facts.companyId])
  const lenient = asksLeniency(request.headers['prefer'])
  const judged = await batch.finish(
    {
      today,
      companyTaxId: batch.companyTaxId,
      products: facts.products,
      benefits: facts.benefits,
      openEnrollments: facts.openEnrollments,
      processing: facts.processing,
      primaries: facts.primaries,
      usableDocumentIds: facts.usableDocumentIds,
    },
    { memberKey: context.memberKey, memberIds: facts.memberIds, lenient },
  )
  if (judged.chunks.length === 0) {
    const text = `{"error":"Invalid members","result":${judged.rejected},"request-trace-id":${JSON.stringify(request.id)}}`
    await reply.status(400).type('application/json; charset=utf-8').send(text)
    return
  }
  const requestId = (request.query as InclusionQuery)['dry-run'] === true ? null : uuidv7()
  const taken = requestId === null ? '"dry-run":true' : `"request-id":"${requestId}"`
  const result = judged.rejected === null ? '' : `,"result":${judged.rejected}`
  const warnings = judged.warnings === null ? '' : `,"warnings":${judged.warnings}`
  const text = `{${taken}${result}${warnings}}`
  const headers = lenient ? { 'preference-applied': 'handling=lenient' } : {}
  if (requestId !== null) {
    const keep = responseSaver(context.responseStore, request, headers)
    await accept(context, request, { companyId: facts.companyId, requestId, resolution }, judged, (sql) =>
      keep(sql, text),
    )
  }
  await reply.headers(headers).type('application/json; charset=utf-8').send(text)
}

async function readFacts(
  { database }: Context,
  caller: Caller,
  batch: OpenBatch,
): Promise<CompanyFacts & Pick<InclusionFacts, 'usableDocumentIds'>> {
  const inBatch = new Set(batch.taxIds)
  const elsewhere = batch.primaryTaxIds.filter((taxId) => !inBatch.has(taxId))
  const people = [...batch.taxIds, ...elsewhere]
  const facts = await readCompanyFacts(database, caller, batch.companyTaxId, people, batch.primaryTaxIds)
  const usableDocumentIds = await usableDocuments(database, caller, batch.documentIds)
  return { ...facts, usableDocumentIds }
}

/** What needs no facts is made ready while they are asked, once the question is out. */
async function prepare({ memberKey }: Context, batch: OpenBatch): Promise<void> {
  await nextTurn()
  batch.prepare(memberKey)
}

/** Request, chunks, work, audit, documents and the kept answer, or nothing. */
async function accept(
  { database }: Context,
  request: FastifyRequest,
  { companyId, requestId, resolution }: { companyId: string; requestId: string; resolution: Resolution | null },
  { chunks, documents }: FinishedBatch,
  keep: (sql: Sql) => Promise<void>,
): Promise<void> {
  const caller = callerOf(request)
  const accepted = { companyId, requestId, resolution, at: new Date(), chunks, origin: requestOrigin(request) }
  await database.transaction(async (sql) => {
    if (!(await acceptInclusion(sql, caller, accepted))) {
      await requireActiveClient(sql, caller)
      throw notEntitled('company')
    }
    if (!(await useDocuments(sql, caller, companyId, requestId, documents))) throw new DocumentsTakenError()
    await keep(sql)
  })
}

/** Whether `Prefer` asks for lenient handling (RFC 7240: a list; the first of a name counts). */
function asksLeniency(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').split(',')
  const handling = preferences.map((one) => /^\s*handling\s*=\s*"?([\w-]+)"?\s*(?:;|$)/i.exec(one)?.[1]).find(Boolean)
  return handling?.toLowerCase() === 'lenient'
}
