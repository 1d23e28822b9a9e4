import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { addDays, daysBetween } from '#kernel/calendar.ts'
import { ENROLLMENT_STATUSES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import { countEnrollments } from '#movements/queue/queries.ts'
import { readStatistics } from './queries.ts'
import type { App, Context } from '#platform/http/context.ts'
import { checkDays } from '#platform/http/date-range.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { Closed, DateOnly, errorResponses, Named, Nullable, OneOf } from '#platform/http/schemas.ts'
import { invalidParameter } from '#platform/core/errors.ts'
import { queueFilterOf, queueFilterQuery } from '#movements/queue/filter.ts'

const mayRead = ['analyst', 'auditor'] as const

const defaultDays = 30
const maxDays = 366
const firstDay = '0001-01-01'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const StatusCount = Named(
  'StatusCount',
  Type.Object({ status: OneOf(ENROLLMENT_STATUSES), count: count('Movements with this status now.') }),
)

const Counts = Type.Object(
  { result: Type.Array(StatusCount) },
  {
    description: 'Every status, also those without movements.',
  },
)

const Statistics = Named(
  'Statistics',
  Type.Object({
    'from-date': { ...DateOnly, description: 'The first day of the range.' },
    'until-date': { ...DateOnly, description: 'The last day of the range, included.' },
    today: { ...DateOnly, description: 'The day from which ages and due dates are counted.' },
    days: Type.Array(
      Type.Object({
        date: DateOnly,
        created: count('Created on this day: `from-dt` and `until-dt` of the queue.'),
        completed: count('Completed on this day: `resolved-from-dt` and `resolved-until-dt` with the status.'),
        rejected: count('Rejected on this day.'),
        cancelled: count('Cancelled on this day.'),
      }),
      { description: 'Every day of the range, in America/Sao_Paulo.' },
    ),
    'open-by-status': Type.Array(StatusCount, {
      description: 'Now: every status but completed, rejected and cancelled.',
    }),
    backlog: Type.Array(
      Type.Object({
        'carrier-name': Type.String({ description: 'As `listCarriers` has it.' }),
        total: count('Of all ages: `status=open` with `carrier-name`.'),
        'under-1-day': count('Created today: `from-dt` = `today`.'),
        '1-to-3-days': count('`from-dt` = `today` - 3, `until-dt` = `today` - 1.'),
        '4-to-7-days': count('`from-dt` = `today` - 7, `until-dt` = `today` - 4.'),
        'over-7-days': count('`until-dt` = `today` - 8.'),
      }),
      {
        description:
          'Open movements now, by carrier and by the days of America/Sao_Paulo from the creation to `today`; the carrier with the most first. ' +
          'Carriers without open movements are left out.',
      },
    ),
    'time-to-resolve': Type.Array(
      Type.Object({
        'enrollment-type': OneOf(MOVEMENT_KINDS),
        count: count('Movements of the type that were completed or rejected in the range.'),
        'median-seconds': Nullable(Type.Integer({ description: 'Null without movements.' })),
        'p90-seconds': Nullable(Type.Integer({ description: '90 % took at most so long.' })),
      }),
      {
        description:
          'From the creation to the completion or rejection. Percentiles are interpolated (`percentile_cont`) and rounded to seconds.',
      },
    ),
    due: Type.Object(
      {
        overdue: count('Before `today`: `due-before` = `today`.'),
        today: count('`due-from` = `today`, `due-before` = `today` + 1.'),
        'next-7-days': count('After `today`: `due-from` = `today` + 1, `due-before` = `today` + 8.'),
      },
      { description: 'Open movements now, by `due-date`.' },
    ),
    'by-assignee': Type.Array(
      Type.Object({
        assignee: Nullable(Type.String({ description: 'Client id of the operator; null: none, `assignee=none`.' })),
        total: count('`status=open` with `assignee`.'),
        overdue: count('Those with `due-before` = `today`.'),
        today: count('Those due today.'),
        'next-7-days': count('Those due on the seven days after `today`.'),
        answered: count('Those with `answered=true`.'),
      }),
      {
        description:
          'Open movements now, by who works on them: those without one first, then the operator with the most. Operators without any are left out.',
      },
    ),
    answered: count('Open movements now that the partner has answered: `answered=true`.'),
    'overdue-at-carrier': count('Open movements now that a carrier should have answered: `overdue-at-carrier=true`.'),
    'failing-webhooks': count(
      'Enabled webhook endpoints whose latest attempts failed: `failing=true` and `status=enabled` of their list.',
    ),
  }),
)

/** The number of movements in each status, and the figures of the overview. */
export async function statisticsRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/count',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'countEnrollments',
      'x-sdk': 'enrollments.counts',
      'x-cli': {
        command: 'enrollment count',
        options: { 'carrier-name': 'carrier' },
        examples: { 'enrollment count --carrier "operadora aurora"': 'those of a carrier, in each status' },
        columns: { STATUS: 'status', COUNT: 'count' },
      },
      summary: 'Count enrollments by status',
      description: 'Those that the filters of the queue select, from one snapshot. Filters are combined with AND.',
      querystring: Closed(queueFilterQuery),
      response: { 200: Counts, ...errorResponses('invalid-date-range') },
    },
    handler: async ({ query }) => ({
      result: await countEnrollments(context.database, queueFilterOf(query, context.today())),
    }),
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/statistics',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readStatistics',
      'x-sdk': 'statistics.read',
      'x-cli': { command: 'statistics', examples: { 'statistics --from 2026-11-01 --json': 'the days since then' } },
      summary: 'Read the figures of the movements',
      description:
        'Of all companies, from one snapshot. `days` and `time-to-resolve` are of the range, the others of now. Each number of movements is ' +
        '`total-items` of the queue with the parameters that the descriptions name, those of now with `status=open`.',
      querystring: Closed({
        'from-dt': Type.Optional({
          ...DateOnly,
          description: `First day in America/Sao_Paulo, included. Default: ${defaultDays} days with the last.`,
        }),
        'until-dt': Type.Optional({
          ...DateOnly,
          description: `Last day, included; not before \`from-dt\`; at most ${maxDays} days. Default: today.`,
        }),
      }),
      response: {
        200: Type.Object({ result: Statistics }),
        ...errorResponses('invalid-date-range'),
      },
    },
    handler: async ({ query }, reply) => {
      const today = context.today()
      return sendJson(reply, await readStatistics(context.database, { ...rangeOf(query, today), today }))
    },
  })
}

/** The days of the parameters. @throws ApiError 400 */
function rangeOf(query: { 'from-dt'?: string; 'until-dt'?: string }, today: string): { from: string; until: string } {
  const { 'until-dt': until = today } = query
  const daysBefore = Math.min(defaultDays - 1, daysBetween(firstDay, until))
  const { 'from-dt': from = addDays(until, -daysBefore) } = query
  checkDays({ name: 'from-dt', day: from }, { name: 'until-dt', day: until })
  if (daysBetween(from, until) >= maxDays) {
    throw invalidParameter([{ field: 'from-dt', code: 'invalid', message: { key: 'max-days', limit: maxDays } }])
  }
  return { from, until }
}
