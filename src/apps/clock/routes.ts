import { type Static, Type } from 'typebox'
import { type Advance, advanceClock } from './advance-clock.ts'
import { isActiveClient } from '#platform/core/access.ts'
import { ApiError, invalidBody, invalidCredentials } from '#platform/core/errors.ts'
import { addDays, daysBetween, type LocalDate } from '#kernel/calendar.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { DateOnly, errorResponses, Named } from '#platform/http/schemas.ts'

/** The maximum of one call, and the last day of all calls together: about ten years. */
const [maxDaysOfCall, maxMovedDays] = [366, 3_660]

const AdvanceBody = Type.Object(
  {
    'advance-days': Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxDaysOfCall, description: 'So many days later.' }),
    ),
    'business-date': Type.Optional({
      ...DateOnly,
      description: `To this day, at most ${maxDaysOfCall} days later. The day that it is changes nothing.`,
    }),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: 'One of the two.',
    examples: [{ 'advance-days': 3 }, { 'business-date': '2026-12-01' }],
  },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

const AppliedDay = Named(
  'AppliedDay',
  Type.Object({
    date: DateOnly,
    'scheduled-movements': count('Scheduled movements whose day came: they are `created` now.'),
    'sandbox-outcomes': count('Outcomes of `sandbox`.'),
    'replaced-benefits': count('Benefits that began after a plan or company change.'),
    'ended-benefits': count('Benefits whose last day was this one.'),
    continuations: count('Continuations of plans that started, expired, were reported before their end, or ended.'),
    'approaching-deadlines': count('Deadlines of movements whose event was written.'),
    'overdue-invoices': count('Invoices that became overdue.'),
    'ageing-dependents': count(
      'Ends of benefits of dependents who become too old that were reported, with drafts of exclusions.',
    ),
  }),
)

const current = {
  'business-date': { ...DateOnly, description: 'The day that the service takes for today.' },
  'moved-days': Type.Integer({ minimum: 0, description: 'By how many days the clock was moved, of all calls.' }),
}

const ClockResponse = Type.Object({ result: Type.Object(current) })

const AdvanceResponse = Type.Object({
  result: Type.Object({
    ...current,
    'former-business-date': { ...DateOnly, description: 'The day that it was before the call.' },
    'applied-days': Type.Array(AppliedDay, { description: 'The days on which something was due.' }),
  }),
})

const url = '/operator/v1/clock'
const responses = { 200: AdvanceResponse, ...errorResponses('clock-staging-only', 'too-many-calls', 'unavailable') }
const description =
  'Staging only. Forward only, one day after the other: what is due on a day, such as scheduled movements, ends of benefits, outcomes of ' +
  '`sandbox` and overdue invoices, happens before the next. The day is of the installation, and stays after a restart; other processes ' +
  'follow within a second. Times stay those of the real clock. A call that broke off may be repeated.'

/** The business day of a staging installation, which can be moved. */
export async function clockRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    before: refuseInProduction(context),
    schema: {
      operationId: 'readClock',
      'x-sdk': 'clock.read',
      'x-cli': { command: 'clock show' },
      summary: 'Read the business day',
      description: 'Staging only.',
      response: { 200: ClockResponse, ...errorResponses('clock-staging-only') },
    },
    handler: () => ({
      result: { 'business-date': context.today(), 'moved-days': context.clock.movedDays },
    }),
  })

  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: [],
    before: refuseInProduction(context),
    schema: {
      operationId: 'advanceClock',
      'x-sdk': 'clock.advance',
      'x-cli': {
        command: 'clock advance',
        arguments: ['advance-days'],
        examples: { 'clock advance 3': 'three days later', 'clock advance --business-date 2026-12-01': 'to that day' },
      },
      summary: 'Move the business day forward',
      description,
      response: responses,
    },
    body: json(AdvanceBody),
    handler: (request) =>
      advanceClock(context, callerOf(request), {
        may: [],
        targetOf: (today) => targetOf(context, request.body, today),
        respond: responseOf,
        stopping: request.server.stopping,
      }) as Promise<Static<typeof AdvanceResponse>>,
  })

  demoRoute(app, context)
}

function demoRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: '/v1/sandbox/clock',
    api: 'partner',
    isForPrograms: true,
    before: refuseInProduction(context),
    schema: {
      operationId: 'readSandboxClock',
      'x-sdk': 'sandbox.readClock',
      'x-cli': { command: 'clock show' },
      tags: ['movements'],
      summary: 'Read the business day',
      description: 'Staging only. `GET /v1/health` tells the day in every environment.',
      response: { 200: ClockResponse, ...errorResponses('clock-staging-only') },
    },
    handler: async (request) => {
      if (!(await isActiveClient(context.database, callerOf(request)))) throw invalidCredentials('client-revoked')
      return { result: { 'business-date': context.today(), 'moved-days': context.clock.movedDays } }
    },
  })

  route(app, {
    method: 'POST',
    url: '/v1/sandbox/clock',
    api: 'partner',
    isForPrograms: true,
    before: async () => {
      if (!context.config.demo) throw new ApiError('clock-staging-only')
    },
    schema: {
      operationId: 'advanceDemoClock',
      'x-sdk': 'sandbox.advanceClock',
      'x-cli': { command: 'clock advance' },
      tags: ['movements'],
      summary: 'Move the business day forward, in the demo',
      description: `Only where the service runs with demo data, as with \`npm start\`. ${description}`,
      response: responses,
    },
    body: json(AdvanceBody),
    handler: (request) =>
      advanceClock(context, callerOf(request), {
        may: 'partner',
        targetOf: (today) => targetOf(context, request.body, today),
        respond: responseOf,
        saveResponse: request.saveResponse,
        stopping: request.server.stopping,
      }) as Promise<Static<typeof AdvanceResponse>>,
  })
}

/** An `onRequest` hook. @throws ApiError 404 in production. */
function refuseInProduction({ config }: Context) {
  return async (): Promise<void> => {
    if (config.environment === 'production') throw new ApiError('clock-staging-only')
  }
}

/** @throws ApiError 400 for an earlier day, and for one that is too late. */
function targetOf({ clock }: Context, body: Static<typeof AdvanceBody>, today: LocalDate): LocalDate {
  const { 'advance-days': days, 'business-date': date } = body
  const target = date ?? addDays(today, days ?? 0)
  const moved = daysBetween(today, target)
  if (moved < 0 || moved > maxDaysOfCall || clock.movedDays + moved > maxMovedDays) {
    const message = { key: 'forward-only', limit: maxDaysOfCall } as const
    throw invalidBody([{ field: date === undefined ? 'advance-days' : 'business-date', code: 'invalid', message }])
  }
  return target
}

function responseOf({ formerDate, businessDate, movedDays, days }: Advance): Static<typeof AdvanceResponse> {
  return {
    result: {
      'business-date': businessDate,
      'moved-days': movedDays,
      'former-business-date': formerDate,
      'applied-days': days.map((day) => ({
        date: day.date,
        'scheduled-movements': day.scheduled,
        'sandbox-outcomes': day.outcomes,
        'replaced-benefits': day.replaced,
        'ended-benefits': day.ended,
        continuations: day.continuations,
        'approaching-deadlines': day.deadlines,
        'overdue-invoices': day.overdueInvoices,
        'ageing-dependents': day.ageing,
      })),
    },
  }
}
