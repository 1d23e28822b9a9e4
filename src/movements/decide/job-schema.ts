import { ConfirmDates } from './items.ts'
import { SheetParameter } from '#platform/http/table-types.ts'
import { Type } from 'typebox'
import { BROKEN_REASONS, DECISION_JOB_STATUSES } from '../rules/decision-job.ts'
import { Closed, Named, Nullable, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { SheetsNotRead } from '#platform/http/table-types.ts'
import { ClientId } from '#access/clients/accounts.ts'
import { acknowledgedFields, resultFields } from './results.ts'

export const firstId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
export const secondId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22'

const acceptedDescription =
  'The lines that are done, or would be in a dry run; of an acknowledgement those by which the carrier accepts.'
const refusedDescription = 'Of an acknowledgement: the lines by which the carrier refuses.'
const rejectedDescription = 'The lines that are not used.'

/** The result of every line. */
export const DecisionResponse = Type.Object({
  'dry-run': Type.Boolean(),
  lines: Type.Integer({ description: 'Without the header and blank lines.' }),
  accepted: Type.Integer({ description: acceptedDescription }),
  refused: Type.Optional(Type.Integer({ description: refusedDescription })),
  done: Type.Optional(Type.Integer({ description: 'Of an acknowledgement: `accepted` and `refused`.' })),
  rejected: Type.Integer({ description: rejectedDescription }),
  'unknown-columns': Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Of an acknowledgement: the headings that are not known, and were not read. Absent when there are none.',
    }),
  ),
  'sheets-not-read': Type.Optional(SheetsNotRead),
  result: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'In the file; the header of a CSV is line 1.' }),
      'enrollment-id': Nullable({ ...Uuid, description: 'null when the line has none.' }),
      ...resultFields,
      ...acknowledgedFields,
    }),
    { description: 'One item for each line, in the order of the file.' },
  ),
})

/** A job of decisions, while it waits, runs and afterwards. */
export const DecisionJob = Named(
  'DecisionJob',
  Type.Object({
    'job-id': Uuid,
    status: OneOf(DECISION_JOB_STATUSES),
    'broken-reason': Nullable(
      OneOf(BROKEN_REASONS, {
        description: 'Why the job stopped before its last line: the operator that sent it may not decide any more.',
      }),
    ),
    'dry-run': Type.Boolean(),
    'shipment-id': Nullable({ ...Uuid, description: 'Of a carrier’s acknowledgement; null: of decisions.' }),
    lines: Type.Integer({
      description: 'Of the file, without the header and blank lines; or the enrollments of the call.',
    }),
    done: Type.Integer({ description: 'The lines that have a result.' }),
    accepted: Type.Integer({ description: acceptedDescription }),
    refused: Type.Integer({ description: refusedDescription }),
    rejected: Type.Integer({ description: rejectedDescription }),
    author: { ...ClientId, description: 'Client id of the operator that sent it.' },
    'created-at': Timestamp,
    'undo-until': Nullable({
      ...Timestamp,
      description: 'When it begins; until then it can be undone. null: it began at once.',
    }),
    'finished-at': Nullable(Timestamp),
  }),
)

/** The response to decisions that a job makes. */
export const JobAccepted = {
  ...Type.Object({ result: DecisionJob }),
  description: 'The job; it goes on by itself.',
  headers: { Location: { description: 'The path of the job.', type: 'string' } },
}

/** The request header of decisions. */
export const preferWait = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description: '`wait=N` waits up to N seconds, 60 at most, for the end of a job, and then returns 200 (RFC 7240).',
      examples: ['wait=30'],
    }),
  ),
})

/** The response header of a job that ended in time. */
export const waited = {
  'Preference-Applied': { description: '`wait=N` when a job was waited for.', type: 'string' },
}

/** The query of a file of decisions. */
export const DecisionFileQuery = Closed({
  'dry-run': Type.Boolean({
    default: false,
    description: '`true` decides on every line as if the others were done, returns the results, and does nothing.',
  }),
  confirm: ConfirmDates,
  sheet: SheetParameter,
})

/** The content of a text, in the document. */
export const textOf = (example: string) => ({ schema: { type: 'string', examples: [example] } })
