import { type TSchema, Type } from 'typebox'
import type { FastifyRequest } from 'fastify'
import type { App, Context } from '../http/context.ts'
import { Closed, errorResponse, Nullable, Uuid } from '../http/schemas.ts'
import { validator } from '../http/validation.ts'
import { invalidBody } from '../platform/errors.ts'
import { type DecisionFile, type DecisionLine, maxDecisionLines, readDecisionFile } from './decision-file.ts'
import { confirmed } from './decision-items.ts'
import { decideItems, type ItemOutcome, outcomeBody, outcomeExample, outcomeFields } from './decision-outcomes.ts'

const maxBytes = 16 * 1024 * 1024

const Query = Closed({
  'dry-run': Type.Boolean({
    default: false,
    description: '`true` decides on every line as if the others were done, returns the outcomes, and does nothing.',
  }),
  confirm: Type.Boolean({
    default: false,
    description: '`true`: the dates of all lines are meant, also those more than two years from today.',
  }),
})

const firstId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const secondId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22'

const DecisionResponse = Type.Object(
  {
    'dry-run': Type.Boolean(),
    lines: Type.Integer({ description: 'Without the header and blank lines.' }),
    accepted: Type.Integer({ description: 'Of these, done; in a dry run those that would be.' }),
    rejected: Type.Integer(),
    result: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'In the file; the header of a CSV is line 1.' }),
        'enrollment-id': Nullable({ ...Uuid, description: 'null when the line has none.' }),
        ...outcomeFields,
      }),
      { description: 'One item for each line, in the order of the file.' },
    ),
  },
  {
    examples: [
      {
        'dry-run': false,
        lines: 2,
        accepted: 1,
        rejected: 1,
        result: [
          { line: 2, 'enrollment-id': firstId, status: 'completed' },
          { line: 3, 'enrollment-id': secondId, ...outcomeExample },
        ],
      },
    ],
  },
)

const textOf = (example: string) => ({ schema: { type: 'string', examples: [example] } })
const csv = textOf(
  'enrollment-id;status;card-number;start-date;end-date;reason\n' +
    `${firstId};completed;0045 1120 7788;2026-12-01;;\n${secondId};rejected;;;;Refused by the carrier\n`,
)
const ndjson = textOf(
  `{"enrollment-id":"${firstId}","status":"completed","card-number":"0045 1120 7788","start-date":"2026-12-01"}\n` +
    `{"enrollment-id":"${secondId}","status":"rejected","reason":"Refused by the carrier"}\n`,
)

/** The carrier's decisions on many enrollments, as a file. */
export async function decisionRoutes(app: App, context: Context): Promise<void> {
  await app.register(async (scope) => decisionRoute(scope as App, context))
}

function decisionRoute(app: App, context: Context): void {
  app.removeAllContentTypeParsers()
  for (const [type, format] of [
    ['text/csv', 'csv'],
    ['application/x-ndjson', 'ndjson'],
  ] as const) {
    const parse = async (_request: FastifyRequest, bytes: Buffer): Promise<DecisionFile> => ({ format, bytes })
    app.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: maxBytes }, parse)
  }
  // The lines are validated one by one.
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? (value: unknown) => ({ value }) : validator(schema as TSchema, httpPart as 'params'),
  )
  app.route({
    method: 'POST',
    url: '/operator/v1/enrollment/decision',
    config: { api: 'operator', roles: ['analyst'] },
    bodyLimit: maxBytes,
    schema: {
      operationId: 'decideEnrollments',
      summary: 'Move up to 10,000 enrollments, each as its line of a file says',
      description:
        `A line is a transition: CSV (\`;\`, \`,\` or tab, with a header) or NDJSON, UTF-8 or Windows-1252, up to ${maxDecisionLines.toLocaleString('en-US')} lines. ` +
        '`enrollment-id` and `status` are required; a CSV takes dates as `YYYY-MM-DD` or `dd/mm/yyyy`. The rules are those of `moveEnrollment`, a line that breaks ' +
        'one has its `error`, and all others are done. Primaries are taken first, whatever the order of the lines. Equal lines are done once; different ones for one ' +
        'enrollment are refused, both. A header with a missing, unknown or repeated column: nothing is read. A file may be sent again: what is done ' +
        'already is an `illegal-transition`.',
      querystring: Query,
      body: { content: { 'text/csv': csv, 'application/x-ndjson': ndjson } },
      response: {
        200: DecisionResponse,
        413: errorResponse(`More than ${maxDecisionLines.toLocaleString('en-US')} lines or 16 MiB; nothing was done.`),
        415: errorResponse('The body must be `text/csv` or `application/x-ndjson`, not compressed.'),
      },
    },
    handler: async (request) => {
      const file = request.body as DecisionFile | undefined
      if (file === undefined || file.bytes.length === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
      const { 'dry-run': dryRun, confirm } = request.query
      const result = await decideLines(context, request, await readDecisionFile(file), { dryRun, confirm })
      const accepted = result.filter(({ error }) => error === undefined).length
      return { 'dry-run': dryRun, lines: result.length, accepted, rejected: result.length - accepted, result }
    },
  })
}

/** Decides on the lines that can be read; an id in a line that cannot refuses the other lines of that id. */
async function decideLines(
  context: Context,
  request: FastifyRequest,
  lines: readonly DecisionLine[],
  { dryRun, confirm }: { readonly dryRun: boolean; readonly confirm: boolean },
) {
  const unreadable = new Set(lines.flatMap((line) => (line.item === null && line.id !== null ? [line.id] : [])))
  const items = lines.flatMap(({ item }) => (item === null || unreadable.has(item.id) ? [] : [item]))
  const outcomes = await decideItems(context, request, confirmed(items, confirm), dryRun)
  const byItem = new Map(items.map((item, index) => [item, outcomes[index] as ItemOutcome]))
  return lines.map((one) => {
    if (one.item === null) {
      const outcome = { moved: false, code: 'invalid-body', details: one.details } as const
      return { line: one.line, 'enrollment-id': one.id, ...outcomeBody(outcome, 'completed') }
    }
    const outcome = byItem.get(one.item) ?? ({ moved: false, code: 'duplicated-enrollment' } as const)
    return { line: one.line, 'enrollment-id': one.item.id, ...outcomeBody(outcome, one.item.move.status) }
  })
}
