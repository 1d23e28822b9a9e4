import { route } from '#platform/http/route.ts'
import { json } from '#platform/http/bodies.ts'
import { required } from '#platform/core/log.ts'
import { Type } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { write } from '#platform/core/write.ts'
import { hasAtMostCharacters } from '#kernel/fields.ts'
import { insertNote, notePage, readEnrollmentCompany } from '#coverage/enrollments/note-queries.ts'
import { readQueueItem } from './queries.ts'
import { QueueItemResponse } from '#coverage/enrollments/schema.ts'
import { updateAssignee } from '../transition/enrollments.ts'
import { readRole } from '#platform/core/access.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, errorResponses, noControls, Nullable, pageQuery, Timestamp, Uuid } from '#platform/http/schemas.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { ClientId } from '#access/clients/accounts.ts'

const maxNoteCharacters = 2_000

const noteExample = {
  id: '01995e0c-7a11-7e52-8d0e-3b1f6a7c9d21',
  text: 'The carrier asked for the form of November.',
  author: '01995e0b-4c11-7e52-8d0e-3b1f6a7c9d21',
  'created-at': '2026-11-24T13:05:09.120Z',
}

const Note = Type.Object({
  id: Uuid,
  text: Type.String(),
  author: Type.String({ description: 'Client id of the operator.' }),
  'created-at': Timestamp,
})

const url = '/operator/v1/enrollment/:enrollmentId'
const may = ['analyst'] as const
const params = Type.Object({ enrollmentId: Uuid })

/** Who works on an enrollment, and the notes of operators. Partners see neither. */
export async function enrollmentWorkRoutes(app: App, context: Context): Promise<void> {
  assigneeRoute(app, context)
  addNoteRoute(app, context)
  listNotesRoute(app, context)
}

function assigneeRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'PUT',
    url: `${url}/assignee`,
    api: 'operator',
    roles: may,
    schema: {
      operationId: 'assignEnrollment',
      'x-sdk': 'enrollments.assign',
      'x-cli': [
        {
          command: 'enrollment assign',
          arguments: ['assignee'],
          examples: {
            'enrollment assign 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21':
              'a client id of operator list; shown in the queue',
          },
          message: '{assignee} has movement {enrollment-id}.',
        },
        {
          command: 'enrollment unassign',
          body: { assignee: null },
          examples: { 'enrollment unassign 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45': 'it has no assignee then' },
          message: 'Movement {enrollment-id} has no assignee.',
        },
      ],
      summary: 'Set who works on an enrollment',
      description:
        'An operator that is not removed, or null for none. `last-updated-at` stays; partners do not see it.',
      params,
      response: { 200: QueueItemResponse, ...errorResponses('enrollment-not-found') },
    },
    body: json(
      Closed(
        { assignee: Nullable({ ...ClientId, description: 'The client id of an operator.' }) },
        { examples: [{ assignee: noteExample.author }, { assignee: null }] },
      ),
    ),
    handler: async (request, reply) => {
      const id = request.params.enrollmentId
      const { assignee } = request.body
      const body = await write({ database }, callerOf(request), { may }, async (sql) => {
        const companyId = await requireCompany(sql, id)
        if (assignee !== null && (await readRole(sql, assignee)) === null) {
          throw invalidBody([{ field: 'assignee', code: 'unknown' }])
        }
        await updateAssignee(sql, { companyId, id }, assignee)
        const action = assignee === null ? 'enrollment.unassigned' : 'enrollment.assigned'
        sql.audit({ action, target: id, companyId })
        return required(await readQueueItem(sql, id), 'enrollment')
      })
      return sendJson(reply, body)
    },
  })
}

function addNoteRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/note`,
    api: 'operator',
    roles: may,
    schema: {
      operationId: 'addEnrollmentNote',
      'x-sdk': 'enrollments.addNote',
      'x-cli': {
        command: 'enrollment note',
        arguments: ['text'],
        examples: {
          'enrollment note 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 "Called the carrier"':
            'with author and time; partners never see it',
        },
        message: 'Noted.',
      },
      summary: 'Add a note to an enrollment',
      description: 'Notes are for operators: partners never see them. They are not changed or deleted.',
      params,
      response: {
        200: Type.Object({ result: Note }),
        ...errorResponses('enrollment-not-found'),
      },
    },
    body: json(
      Closed(
        {
          text: Type.String({
            minLength: 1,
            maxLength: maxNoteCharacters,
            ...noControls,
            pattern: '\\S',
            description: '1 to 2,000 characters.',
          }),
        },
        { examples: [{ text: noteExample.text }] },
      ),
    ),
    handler: async (request) => {
      const enrollmentId = request.params.enrollmentId
      const { text } = request.body
      // The schema counts what is seen as one character, which may be several.
      if (!hasAtMostCharacters(text, maxNoteCharacters)) throw invalidBody([{ field: 'text', code: 'invalid' }])
      const actor = callerOf(request)
      const note = { id: uuidv7(), text, author: actor.clientId, at: database.now() }
      await write({ database }, actor, { may }, async (sql) => {
        const companyId = await requireCompany(sql, enrollmentId)
        await insertNote(sql, { companyId, enrollmentId, ...note })
        sql.audit({ action: 'enrollment.note-added', target: note.id, companyId })
      })
      return { result: { id: note.id, text, author: note.author, 'created-at': note.at.toISOString() } }
    },
  })
}

function listNotesRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: `${url}/note`,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listEnrollmentNotes',
      'x-sdk': 'enrollments.notes',
      'x-cli': { command: 'enrollment notes', columns: { 'CREATED-AT': 'created-at', AUTHOR: 'author', TEXT: 'text' } },
      summary: 'List the notes of an enrollment',
      description: 'Oldest first.',
      params,
      querystring: Closed(pageQuery),
      response: { 200: PageOf(Note), ...errorResponses('enrollment-not-found') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const enrollmentId = request.params.enrollmentId
      const of = { company_id: await requireCompany(database, enrollmentId), enrollment_id: enrollmentId }
      return sendJson(reply, listBody(await notePage(database, query, of), query))
    },
  })
}

/** The company of an enrollment. @throws ApiError 404 */
async function requireCompany(sql: Sql, enrollmentId: string): Promise<string> {
  const companyId = await readEnrollmentCompany(sql, enrollmentId)
  if (companyId === null) throw new ApiError('enrollment-not-found')
  return companyId
}
