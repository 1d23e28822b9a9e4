import { route } from '#platform/http/route.ts'
import { lines } from '#platform/http/bodies.ts'
import { callerOf } from '#platform/http/context.ts'
import type { App, Context } from '#platform/http/context.ts'
import { errorResponse } from '#platform/http/schemas.ts'
import { invalidBody } from '#platform/core/errors.ts'
import { type DecisionLine, readDecisionFile } from './file.ts'
import { maxDecisionBytes, maxDecisionLines } from './sent-lines.ts'
import { readWorkbook } from './workbook.ts'
import { workbook } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { createJob, linesOf, type SentLine, sendJob } from './job.ts'
import { fileResult } from './job-result.ts'
import {
  DecisionFileQuery,
  DecisionResponse,
  firstId,
  JobAccepted,
  preferWait,
  secondId,
  textOf,
  waited,
} from './job-schema.ts'
import { confirmed } from './items.ts'

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
  route(app, {
    method: 'POST',
    url: '/operator/v1/enrollment/decision',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'decideEnrollments',
      summary: 'Move up to 10,000 enrollments, each as its line of a file says',
      description:
        `A line is a transition: CSV (\`;\`, \`,\` or tab, with a header) or NDJSON, UTF-8 or Windows-1252, or a row of a workbook (.xlsx), up to ${maxDecisionLines.toLocaleString('en-US')} lines. ` +
        '`enrollment-id` and `status` are required; a table takes dates as `YYYY-MM-DD` or `dd/mm/yyyy`, a workbook also its own. The rules are those of `moveEnrollment`, a line that breaks ' +
        'one has its `error`, and all others are done. Primaries are taken first, whatever the order of the lines. Equal lines are done once; different ones for one ' +
        'enrollment are refused, both. A job decides: 202, or 200 with `Prefer: wait=N` if it ends in time. A header with a missing, unknown or repeated column: nothing is read. A file may be sent again: what is done ' +
        'already is an `illegal-transition`.',
      headers: preferWait,
      querystring: DecisionFileQuery,
      response: {
        200: { ...DecisionResponse, headers: waited },
        202: JobAccepted,
        413: errorResponse(`More than ${maxDecisionLines.toLocaleString('en-US')} lines or 16 MiB; nothing was done.`),
        415: errorResponse(
          'The body must be `text/csv`, `application/x-ndjson` or a workbook (.xlsx), not compressed.',
        ),
      },
    },
    body: lines(
      { 'text/csv': csv, 'application/x-ndjson': ndjson, [xlsxType]: workbook },
      { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson', [xlsxType]: 'xlsx' },
      maxDecisionBytes,
    ),
    handler: async (request, reply) => {
      const file = request.body
      if (file === undefined || file.bytes.length === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
      const { 'dry-run': dryRun, confirm, sheet } = request.query
      const lines = await readDecisionFile(file, (bytes) => readWorkbook(context, bytes, sheet))
      const sent = sentLines(lines, confirm)
      const jobId = await createJob(context, callerOf(request), sent, { dryRun })
      return sendJob(context, request, reply, jobId, app.stopping, () => fileResult(context.database, jobId))
    },
  })
}

/** An id in a line that cannot be read refuses the other lines of that id. @param confirm the dates of all lines are meant. */
function sentLines(lines: readonly DecisionLine[], confirm: boolean): SentLine[] {
  const unreadable = new Set(lines.flatMap((line) => (line.item === null && line.id !== null ? [line.id] : [])))
  const readable = lines.flatMap(({ line, item }) => (item === null || unreadable.has(item.id) ? [] : [{ line, item }]))
  const items = confirmed(
    readable.map(({ item }) => item),
    confirm,
  )
  const decided = linesOf(items, (index) => readable[index]?.line ?? 0)
  const byLine = new Map(decided.map((result) => [result.line, result]))
  return lines.map((sent): SentLine => {
    const { line } = sent
    if (sent.item === null)
      return { line, id: sent.id, refused: { accepted: false, code: 'invalid-body', details: sent.details } }
    return byLine.get(line) ?? { line, id: sent.item.id, refused: { accepted: false, code: 'duplicated-enrollment' } }
  })
}
