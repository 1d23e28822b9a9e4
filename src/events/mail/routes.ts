import { json } from '#platform/http/bodies.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { isMailOn } from '#platform/core/mails.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { DEFAULT_FREQUENCIES, digestsOf } from '#kernel/mail.ts'
import { type PersonRole, ROLES } from '#kernel/enums.ts'
import { readPersonRole } from '#access/accounts/queries.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { lockMail, mailPage, putPreferences, queueAgain, readMail, readPreferences, setCancelled } from './queries.ts'
import { Mail, MailQuery, Preferences, PreferencesBody } from './schema.ts'

const exampleId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

/** `/operator/v1/mail`: the e-mails of the installation; `/operator/v1/account/mail`: what the caller wants of them. */
export async function mailRoutes(app: App, context: Context): Promise<void> {
  const mail = resource(app, context, {
    noun: 'mail',
    mayRead: ['auditor'],
    mayWrite: [],
    item: Mail,
    read: readMail,
    columns: { 'MAIL-ID': 'mail-id', KIND: 'kind', EMAIL: 'email', STATUS: 'status', ERROR: 'error' },
  })
  mail.list({
    summary: 'List the e-mails',
    description:
      'Those of the last 90 days, the newest first. Bounces that come after a server took a mail are not known here.',
    cli: { examples: { 'mail list --status doubtful': 'what may have arrived, or not' } },
    query: MailQuery,
    page: mailPage,
  })
  mail.get({ summary: 'Read an e-mail', description: 'What became of it. Its text is not stored.' })
  mail.act('send-again', {
    summary: 'Send an e-mail again',
    description:
      'One that failed, or is doubtful: then the person may get it twice. 409 for another one, and once it has expired.',
    cli: { command: 'mail send-again', examples: { [`mail send-again ${exampleId}`]: 'now' } },
    errors: ['mail-status'],
    run: (actor, id) =>
      change(context, actor, id, async (tx, { status, isExpired }) => {
        if (!['failed', 'doubtful'].includes(status) || isExpired) throw new ApiError('mail-status')
        await queueAgain(tx, id)
        tx.audit({ action: 'mail.sent-again', target: id, companyId: null })
      }),
  })
  mail.act('cancel', {
    summary: 'Cancel an e-mail',
    description:
      'One that waits is not sent; one that failed or is doubtful is no longer counted among those. 409 for another one.',
    cli: { examples: { [`mail cancel ${exampleId}`]: 'its link still works' } },
    errors: ['mail-status'],
    run: (actor, id) =>
      change(context, actor, id, async (tx, { status }) => {
        if (!['queued', 'failed', 'doubtful'].includes(status)) throw new ApiError('mail-status')
        await setCancelled(tx, id)
        tx.audit({ action: 'mail.cancelled', target: id, companyId: null })
      }),
  })
  preferenceRoutes(app, context)
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockMail>>>

/** Changes a mail, which is locked. @throws ApiError 404. */
async function change(
  context: Context,
  actor: ClientActor,
  id: string,
  act: (tx: Tx, mail: Locked) => Promise<void>,
): Promise<void> {
  await write(context, actor, { may: [], lock: (tx) => lockMail(tx, id) }, async (tx, mail) => {
    if (mail === null) throw new ApiError('mail-not-found')
    await act(tx, mail)
  })
}

function preferenceRoutes(app: App, context: Context): void {
  const { config, database } = context
  const url = '/operator/v1/account/mail'
  const own = { api: 'operator', roles: ['analyst', 'finance', 'auditor'], isOfSession: true } as const
  /** The role of the caller. @throws ApiError 404 for a caller who is no person. */
  const roleOf = async ({ clientId }: ClientActor): Promise<PersonRole> => {
    const role = await readPersonRole(database, clientId)
    if (role === null) throw new ApiError('person-not-found')
    return role
  }
  const show = async (personId: string, role: PersonRole) => {
    const { language, frequencies } = await readPreferences(database, personId)
    const kinds = digestsOf(role)
    const chosen = kinds.map((kind) => ({ kind, frequency: frequencies[kind] ?? DEFAULT_FREQUENCIES[kind] }))
    return { result: { 'is-mail-on': isMailOn(config), language, frequencies: chosen } }
  }
  route(app, {
    method: 'GET',
    url,
    ...own,
    schema: {
      operationId: 'readMailPreferences',
      'x-sdk': 'account.readMailPreferences',
      summary: 'Which e-mails the caller gets',
      description: 'E-mails with a link that works once, such as an invitation, always come.',
      response: { 200: Preferences, ...errorResponses('person-not-found') },
    },
    handler: async (request) => {
      const caller = callerOf(request)
      return show(caller.clientId, await roleOf(caller))
    },
  })
  route(app, {
    method: 'PUT',
    url,
    ...own,
    schema: {
      operationId: 'putMailPreferences',
      'x-sdk': 'account.putMailPreferences',
      summary: 'Choose which e-mails the caller gets',
      description: 'Replaces language and frequencies. Digests that wait and are not wanted any more are cancelled.',
      response: { 200: Preferences, ...errorResponses('person-not-found') },
    },
    body: json(PreferencesBody),
    handler: async (request) => {
      const caller = callerOf(request)
      const role = await roleOf(caller)
      const { language, frequencies } = request.body
      const kinds = frequencies.map(({ kind }) => kind)
      const details = kinds.flatMap((kind, index): Detail[] => {
        const field = `frequencies[${index}].kind`
        if (!digestsOf(role).includes(kind)) return [{ field, code: 'not-applicable' }]
        return kinds.indexOf(kind) < index ? [{ field, code: 'repeated' }] : []
      })
      if (details.length > 0) throw invalidBody(details)
      const chosen = Object.fromEntries(frequencies.map(({ kind, frequency }) => [kind, frequency]))
      await write(context, caller, { may: caller.kind === 'partner' ? 'partner' : ROLES }, async (tx) => {
        await putPreferences(tx, caller.clientId, { language, frequencies: chosen })
        tx.audit({ action: 'person.mail-chosen', target: caller.clientId, companyId: null })
      })
      return show(caller.clientId, role)
    },
  })
}
