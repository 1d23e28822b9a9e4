import type { Cipher } from '#platform/core/crypto/cipher.ts'
import type { Config } from '#platform/core/config.ts'
import { type MailSecret, mailPurpose } from '#platform/core/mails.ts'
import { required } from '#platform/core/log.ts'
import { pauseUnlessAborted } from '#platform/core/run-periodically.ts'
import type { Context } from '#platform/http/context.ts'
import { readBrand, readLogo } from '#registry/settings/queries.ts'
import type { Digest } from '#kernel/mail.ts'
import { type ClaimedMail, claimMail, countDue, endOverdue, saveResult } from './outbox-queries.ts'
import { brandName, digestLink, logoId, type MailBrand, type MailContent, writeMessage } from './message.ts'
import { defaultTimeouts, SmtpSession } from './smtp.ts'
import { stopToken } from './stop-link.ts'

/** Connections to the server at once, of each process. */
const maxConnections = 4
/** After a stop, for the answer to a message that was sent. */
const lastAnswerMs = 5_000
/** While the server cannot be reached. */
const retryMs = 30_000

type SendContext = Pick<Context, 'config' | 'database' | 'cipher' | 'mailKey' | 'log'>

/** For the log and the list of failed steps: a code, no text of the server. */
class MailServerError extends Error {
  constructor(code: string) {
    super(`the SMTP server cannot be used: ${code}`)
    this.name = `SMTP-${code}`
  }
}

/**
 * Sends the mails that are due, over a few connections. Any number of processes may run it at once.
 * @throws MailServerError when the server cannot be reached: the mails stay in the outbox.
 */
export async function sendDueMails(
  context: SendContext,
  signal: AbortSignal,
  timeouts = defaultTimeouts,
): Promise<void> {
  if (context.config.smtpUrl === null) return
  await endOverdue(context.database)
  const due = await countDue(context.database, maxConnections)
  if (due === 0) return
  const { 'broker-name': name } = await readBrand(context.database)
  const brand = { name, logo: await readLogo(context.database) }
  const failures = await Promise.all(
    Array.from({ length: due }, async () => {
      const session = new SmtpSession(context.config, timeouts)
      try {
        return await sendOver(context, session, brand, signal)
      } finally {
        session.close()
      }
    }),
  )
  const failure = failures.find((one) => one !== null) ?? null
  if (failure === null) return
  await pauseUnlessAborted(signal, retryMs)
  throw new MailServerError(failure)
}

/** Sends one mail after the other until none is due. @returns why the server cannot be used; null: it can. */
async function sendOver(
  context: SendContext,
  session: SmtpSession,
  brand: MailBrand,
  signal: AbortSignal,
): Promise<string | null> {
  while (!signal.aborted) {
    const mail = await claimMail(context.database)
    if (mail === null) return null
    if (mail.person?.isBlocked === true) {
      await saveResult(context.database, mail, { status: 'cancelled', error: 'recipient-blocked' })
      continue
    }
    const message = await composeMail(context, mail, brand)
    const from = required(context.config.mailFrom, 'address that mails come from')
    const outcome = await session.send({ from, to: message.to }, message.bytes, lastAnswer(signal))
    await saveResult(context.database, mail, outcome)
    const { status, error } = outcome
    if (status !== 'sent') context.log.warn({ 'mail-id': mail.id, kind: mail.kind, status, error }, 'mail not sent')
    if (status === 'not-connected') return error ?? 'ECONNECTION'
  }
  return null
}

/** Aborted some seconds after a stop. */
function lastAnswer(stopping: AbortSignal): AbortSignal {
  const last = new AbortController()
  const wait = () => setTimeout(() => last.abort(), lastAnswerMs).unref()
  if (stopping.aborted) wait()
  else stopping.addEventListener('abort', wait, { once: true, signal: last.signal })
  return last.signal
}

interface ComposeContext {
  readonly config: Pick<Config, 'publicUrl' | 'mailFrom'>
  readonly cipher: Cipher
  readonly mailKey: Buffer
}

/** A mail as the server gets it, and whom it goes to. */
async function composeMail(
  { config, cipher, mailKey }: ComposeContext,
  mail: ClaimedMail,
  brand: MailBrand,
): Promise<{ readonly to: string; readonly bytes: Buffer }> {
  const publicUrl = required(config.publicUrl, 'public URL')
  const from = required(config.mailFrom, 'address that mails come from')
  const { address, content } = contentOf(mail, { publicUrl, cipher, mailKey })
  const { default: Composer } = await import('nodemailer/lib/mail-composer')
  const { stop } = content
  const composer = new Composer({
    from: { name: brandName(brand), address: from },
    to: { name: '', address },
    ...writeMessage(content, brand),
    date: mail.createdAt,
    // The same of each attempt: a server that got it twice may see it.
    messageId: `<${mail.id}@${from.slice(from.indexOf('@') + 1)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(stop === null
        ? {}
        : { 'List-Unsubscribe': `<${stop.url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    attachments:
      brand.logo === null
        ? []
        : [
            {
              filename: `logo.${brand.logo.type.slice('image/'.length)}`,
              contentType: brand.logo.type,
              content: brand.logo.bytes,
              cid: logoId,
            },
          ],
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { to: address, bytes: await composer.compile().build() }
}

function contentOf(
  mail: ClaimedMail,
  { publicUrl, cipher, mailKey }: { readonly publicUrl: string; readonly cipher: Cipher; readonly mailKey: Buffer },
): { readonly address: string; readonly content: MailContent } {
  const { id, kind, language, counts, expiresAt, person } = mail
  const common = { kind, language, counts, expiresAt }
  if (counts === null) {
    const bytes = cipher.decrypt(mailPurpose(id), required(mail.secret, 'link of the mail'))
    const { link, address } = JSON.parse(bytes.toString()) as MailSecret
    return {
      address: address ?? required(person, 'person of the mail').email,
      content: { ...common, link, stop: null },
    }
  }
  const { id: personId, email, api } = required(person, 'person of the digest')
  const digest = kind as Digest
  const stop = {
    url: `${publicUrl}/mail/stop?token=${stopToken(mailKey, { personId, kind: digest })}`,
    settings: `${publicUrl}/console/account`,
  }
  return { address: email, content: { ...common, link: digestLink(publicUrl, digest, api), stop } }
}
