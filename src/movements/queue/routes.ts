import { Type } from 'typebox'
import { route } from '#platform/http/route.ts'
import { PageOf } from '#platform/http/page.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { listEnrollmentQueue } from './queries.ts'
import { QueueItem } from '#coverage/enrollments/schema.ts'
import type { App, Context } from '#platform/http/context.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { enrollmentExportRoute } from './export.ts'
import { enrollmentWorkRoutes } from './work-routes.ts'
import { queueFilterOf, queueQuery } from './filter.ts'

const Query = Closed({
  ...queueQuery,
  group: Type.Optional(
    OneOf(['family'], {
      description:
        '`family`: within a page the rows of a primary and the dependents in a company stand together, the primary first, where the first of them is.',
    }),
  ),
  ...pageQuery,
})

/** The queue of movements, its export, and the notes and assignees of its items. */
export async function enrollmentQueueRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment',
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listEnrollmentQueue',
      'x-sdk': 'enrollments.list',
      'x-cli': {
        command: 'enrollment list',
        ids: 'id',
        options: { 'carrier-name': 'carrier' },
        examples: {
          'enrollment list --status created --limit 50': 'the first of the queue',
          'enrollment list --carrier "operadora aurora" --columns id,member-name,due-date': 'three fields of each',
          'enrollment list --status created --ids | vigencia enrollment complete - --yes': 'completes all of them',
        },
        columns: {
          'ENROLLMENT-ID': 'id',
          TYPE: 'enrollment-type',
          STATUS: 'status',
          NAME: 'member-name',
          'MEMBER-TAX-ID': 'member-tax-id',
          MEMBER: 'dependent of {primary-member-tax-id} | member-type',
          'COMPANY-TAX-ID': 'company-tax-id',
          CARRIER: 'carrier-name',
          PRODUCT: 'product-name',
          DUE: 'due-date',
          SHIPMENT: 'shipment.number',
          'CREATED-AT': 'created-at',
        },
      },
      summary: 'List enrollments',
      description: 'Oldest first, or by due date. Filters are combined with AND. An auditor gets masked CPFs.',
      querystring: Query,
      response: { 200: PageOf(QueueItem), ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = await listEnrollmentQueue(
        context.database,
        queueFilterOf(query, context.today()),
        { order: query.sort, isByFamily: query.group === 'family' },
        pageBounds(query),
      )
      return sendJson(reply, listBody(page, query))
    },
  })
  await enrollmentExportRoute(app, context)
  await enrollmentWorkRoutes(app, context)
}
