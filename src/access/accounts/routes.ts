import { ResultOf } from '#platform/http/page.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, pageQuery } from '#platform/http/schemas.ts'
import { required } from '#platform/core/log.ts'
import { originOf } from '../sessions/same-origin.ts'
import { personPage, readPerson } from './queries.ts'
import { NewPerson, PersonChange, PersonLink, PersonPath, Person } from './schema.ts'
import { blockPerson, changePerson, createPerson, linkPerson, unblockPerson } from './write.ts'

const url = '/operator/v1/person'
const exampleId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const columns = { 'PERSON-ID': 'person-id', NAME: 'name', ROLE: 'role', STATUS: 'status' }

/** `/operator/v1/person`: the people of the broker and of its client companies. */
export async function personRoutes(app: App, context: Context): Promise<void> {
  const person = resource(app, context, {
    noun: 'person',
    plural: 'people',
    mayRead: ['auditor'],
    mayWrite: [],
    item: Person,
    read: readPerson,
    columns,
  })
  person.list({
    summary: 'List the people',
    description: 'By name, also those who are blocked.',
    cli: { columns: { ...columns, 'LAST-SIGN-IN-AT': 'last-sign-in-at' } },
    query: Closed(pageQuery),
    page: personPage,
  })
  person.get({ summary: 'Read a person', description: 'With the role, the companies and the last sign-in.' })
  createRoute(app, context)
  changeRoute(app, context)
  person.act('block', {
    summary: 'Block a person',
    description: 'Takes effect at once: the sessions of the person end. 409 for the last admin.',
    cli: { examples: { [`person block ${exampleId}`]: 'signs out at once; undone by person unblock' } },
    errors: ['last-admin'],
    run: (actor, id) => blockPerson(context, actor, id),
  })
  person.act('unblock', {
    summary: 'Let a blocked person sign in again',
    description: 'With the password of before. Does nothing for a person who is not blocked.',
    run: (actor, id) => unblockPerson(context, actor, id),
  })
}

function createRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'createPerson',
      'x-sdk': 'people.create',
      'x-cli': {
        command: 'person invite',
        arguments: ['name', 'email'],
        options: { 'company-tax-ids': 'company' },
        examples: { 'person invite "Ana Prado" ana.prado@broker.example --role analyst': 'prints the link to send' },
        fields: ['person-id', 'link'],
        message: 'The link is shown this once; it works once, for 72 hours.',
      },
      summary: 'Invite a person',
      description:
        'Roles are those of operators, and `company-hr` for the people of client companies, who use `/v1` with the cookie of their session. ' +
        'Send the link to the person, who sets a password with it: it works once, for 72 hours. Where mail is on, the service sends it by e-mail, too.',
      response: { 200: PersonLink, ...errorResponses('company-not-found', 'email-in-use') },
    },
    body: json(NewPerson),
    handler: async (request) =>
      createPerson(context, callerOf(request), request.body, originOf(request, context.config)),
  })
  route(app, {
    method: 'POST',
    url: `${url}/:personId/link`,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'createPersonLink',
      'x-sdk': 'people.createLink',
      'x-cli': {
        command: 'person link',
        examples: { [`person link ${exampleId}`]: 'for who forgot the password, or came too late' },
        fields: ['person-id', 'link'],
        message: 'The link is shown this once; it works once, for 72 hours.',
      },
      summary: 'Make a link that sets a password',
      description:
        'For a person who forgot the password, or whose invitation has expired. It works once, for 72 hours, and ends the link before. The present ' +
        'password and the passkeys work until another password is set; then all sessions of the person end, and the passkeys are removed.',
      params: PersonPath,
      response: { 200: PersonLink, ...errorResponses('person-not-found', 'person-blocked') },
    },
    handler: async (request) =>
      linkPerson(context, callerOf(request), request.params.personId, originOf(request, context.config)),
  })
}

function changeRoute(app: App, context: Context): void {
  route(app, {
    method: 'PATCH',
    url: `${url}/:personId`,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'changePerson',
      'x-sdk': 'people.change',
      'x-cli': {
        command: 'person change',
        options: { 'company-tax-ids': 'company' },
        examples: { [`person change ${exampleId} --role finance`]: 'works on invoices from now on' },
        columns,
      },
      summary: 'Change name, role or companies of a person',
      description:
        'Takes effect at the next call. The companies that are given replace those before. 409 for the last admin.',
      params: PersonPath,
      response: { 200: ResultOf(Person), ...errorResponses('person-not-found', 'company-not-found', 'last-admin') },
    },
    body: json(PersonChange),
    handler: async (request, reply) => {
      const id = request.params.personId
      await changePerson(context, callerOf(request), id, request.body)
      return sendJson(reply, required(await readPerson(context.database, id), 'person'))
    },
  })
}
