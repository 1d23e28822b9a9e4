import { putStepAside } from '../failed-step.ts'
import { invitationBody, invited, openPage, factorOf, submissionOf } from '../onboarding.ts'
import { invite } from '../person.ts'
import { expectOk } from '../test-app.ts'
import { newSlot, pdf } from '../upload.ts'
import { admin, analyst, auditor, chapter, movementRoles, reads, roles, type World, write } from './call.ts'

/** Steps that are put aside, and an event of an endpoint where nothing listens. */
async function prepareOperation({ testApp, partner }: World) {
  const stepId = async () => (await putStepAside(testApp)).split('/').slice(-1)
  const made = expectOk(await partner.post('/v1/webhook-endpoint', { url: 'http://127.0.0.1:59997/' })).body.result
  const { result: event } = expectOk(await partner.post(`/v1/webhook-endpoint/${made.id}/test`)).body
  const { 'person-id': personId } = await invite(testApp, {
    name: 'Caio',
    email: 'caio@broker.example',
    role: 'finance',
  })
  return {
    mails: await doubtfulMails(testApp, personId, 2),
    retried: await stepId(),
    deleted: await stepId(),
    endpointId: made.id,
    event: [event.id],
  }
}

/** Digests whose answer did not come. @returns their ids. */
async function doubtfulMails({ sql }: World['testApp'], personId: string, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `insert into mail (id, kind, recipient_id, counts, period, status, next_attempt_at, created_at, expires_at, finished_at)
     select gen_random_uuid(), 'deadlines', $1, '{"due": 1}', 'daily day ' || number, 'doubtful', now(), now(), now() + interval '1 day', now()
     from generate_series(1, $2) as number returning id`,
    [personId, count],
  )
  return rows.map(({ id }) => id)
}

/** Failed steps, webhooks, the audit log and the clock. */
export const operation = chapter(prepareOperation, {
  ...reads(roles, 'listFailedSteps'),
  retryFailedStep: write(admin, 'step.retried', ({ retried }) => ({ path: retried })),
  deleteFailedStep: write(admin, 'step.deleted', ({ deleted }) => ({ path: deleted })),
  ...reads(movementRoles, 'listAllWebhookEndpoints', 'readAnyWebhookEndpoint', 'listAllWebhookDeliveries'),
  ...reads(movementRoles, 'readAnyWebhookEvent'),
  redeliverAnyWebhookEvent: write(analyst, 'webhook-event.redelivered', ({ event, endpointId }) => ({
    path: event,
    body: { 'webhook-endpoint-id': endpointId },
  })),
  ...reads(auditor, 'listAudit', 'verifyAuditChain'),
  ...reads(auditor, 'listMails', 'readMail'),
  sendAgainMail: write(admin, 'mail.sent-again', ({ mails }) => ({ path: mails.slice(0, 1) })),
  cancelMail: write(admin, 'mail.cancelled', ({ mails }) => ({ path: mails.slice(1) })),
  ...reads(roles, 'readClock'),
  advanceClock: write(admin, 'clock.advanced', () => ({ body: { 'advance-days': 1 } })),
})

/** Where documents go. */
async function prepareUploads({ partner }: World) {
  const [put, post] = [await newSlot(partner), await newSlot(partner)]
  const call = {
    body: pdf,
    headers: { 'content-type': 'application/octet-stream' },
    clientId: partner.clientId,
    refusal: 410,
  }
  const urlOf = ({ url }: { url: string }) => new URL(url).pathname + new URL(url).search
  return { put: { ...call, url: urlOf(put) }, post: { ...call, url: urlOf(post) } }
}

/** The bytes of documents: the URL is signed. */
export const uploads = chapter(prepareUploads, {
  uploadDocument: { audit: 'document.uploaded by partner', calls: ({ put }) => put },
  uploadDocumentByPost: { audit: 'document.uploaded by partner', calls: ({ post }) => post },
})

/** A link that nobody has opened, and one with a document. */
async function prepareLink({ testApp, company, partner }: World) {
  const [unopened, link] = [
    await invited(partner, invitationBody(company)),
    await invited(partner, invitationBody(company)),
  ]
  const page = await openPage(testApp, link)
  return { unopened, link, headers: page.headers, document: [await page.upload()] }
}

/** What an employee does with an onboarding link: nobody's client. */
export const employee = chapter(prepareLink, {
  startOnboardingSession: {
    audit: 'onboarding.opened by service',
    calls: ({ unopened }) => ({ body: factorOf(unopened), headers: { 'onboarding-token': unopened.token } }),
  },
  uploadOnboardingDocument: {
    audit: 'onboarding.file-uploaded by service',
    calls: ({ headers }) => ({ body: pdf, headers: { ...headers, 'content-type': 'application/pdf' } }),
  },
  deleteOnboardingDocument: {
    audit: 'onboarding.file-deleted by service',
    calls: ({ headers, document }) => ({ path: document, headers }),
  },
  submitOnboarding: {
    audit: 'onboarding.submitted by service',
    calls: ({ headers, link }) => ({ body: submissionOf(link), headers }),
  },
})
