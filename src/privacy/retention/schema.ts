import { Type } from 'typebox'
import { RETENTION_CLASSES } from '#kernel/retention-classes.ts'
import { DateOnly, Named, OneOf } from '#platform/http/schemas.ts'

/** The maximum of ids of a class in a response. */
export const maxIds = 1_000

const RetainedClass = Named(
  'RetainedClass',
  Type.Object({
    class: OneOf(RETENTION_CLASSES),
    days: Type.Integer({ description: 'The period, as the setting `RETENTION` has it, or by default.' }),
    before: { ...DateOnly, description: 'What is from before this day is deleted.' },
    count: Type.Integer(),
    ids: Type.Array(Type.String(), {
      maxItems: maxIds,
      description: `The first ${maxIds}: members or movements, carriers' files and shipments, files of invoices, imports, accounts, requests, documents, drafts, events, jobs.`,
    }),
  }),
)

export const RetentionResponse = Type.Object({ result: Type.Array(RetainedClass) }, { description: 'By class.' })

export const RetentionRunResponse = Type.Object(
  { result: Type.Object({ classes: Type.Array(RetainedClass, { description: 'What was deleted.' }) }) },
  { description: 'What was deleted.' },
)
