import { escapeHtml } from '#kernel/escape-html.ts'
import type { Digest, MailCount, MailKind } from '#kernel/mail.ts'
import { type Language, TEXTS } from '#kernel/texts/texts.ts'
import type { LogoType } from '#registry/rules/settings.ts'

/* What an e-mail says, as text and as HTML: a link and counts, no name of a person or a plan. */

/** What everybody sees of the broker. */
export interface MailBrand {
  /** null: the name of the product. */
  readonly name: string | null
  readonly logo: { readonly type: LogoType; readonly bytes: Buffer } | null
}

export interface MailContent {
  readonly kind: MailKind
  readonly language: Language
  /** Where the button leads. */
  readonly link: string
  /** null: of a link that works once. */
  readonly counts: Partial<Record<MailCount, number>> | null
  readonly expiresAt: Date
  /** Where the person ends the kind of a digest, and chooses. */
  readonly stop: { readonly url: string; readonly settings: string } | null
}

export interface MailMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const product = 'Vigencia'
export const brandName = ({ name }: Pick<MailBrand, 'name'>): string => name ?? product
/** The logo in the message: no program that reads it asks the service for it. */
export const logoId = 'logo@vigencia'

/** Where each digest leads, in the console. */
const paths: Readonly<Record<Digest, { readonly operator: string; readonly partner: string }>> = {
  'pending-items': { operator: '/queue', partner: '/hr/pending' },
  deadlines: { operator: '/deadlines', partner: '/hr' },
  'failed-deliveries': { operator: '/failed-steps', partner: '/hr' },
  drafts: { operator: '/drafts', partner: '/hr/drafts' },
  'second-admin': { operator: '/personal-data', partner: '/hr' },
}

export const digestLink = (publicUrl: string, kind: Digest, api: 'operator' | 'partner'): string =>
  `${publicUrl}/console${paths[kind][api]}`

const style = {
  page: 'margin:0;padding:24px 12px;background:#f4f5f7;font-family:Arial,Helvetica,sans-serif;color:#1f2933',
  card: 'max-width:520px;margin:0 auto;background:#ffffff;border:1px solid #dde1e6;border-radius:8px;padding:28px',
  brand: 'font-size:16px;font-weight:bold;margin:0 0 20px',
  title: 'font-size:20px;line-height:28px;margin:0 0 12px',
  text: 'font-size:15px;line-height:22px;margin:0 0 16px',
  cell: 'font-size:15px;line-height:22px;padding:8px 0;border-bottom:1px solid #dde1e6',
  number: 'font-size:15px;font-weight:bold;text-align:right;padding:8px 0 8px 16px;border-bottom:1px solid #dde1e6',
  button:
    'display:inline-block;background:#0b6e4f;color:#ffffff;font-size:15px;font-weight:bold;text-decoration:none;padding:12px 20px;border-radius:6px',
  small: 'font-size:13px;line-height:20px;color:#52606d;margin:16px 0 0;word-break:break-word',
  foot: 'max-width:520px;margin:16px auto 0;font-size:12px;line-height:18px;color:#52606d;text-align:center',
} as const

const untilText = (instant: Date, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeZone: 'America/Sao_Paulo', dateStyle: 'long', timeStyle: 'short' }).format(
    instant,
  )

/** The message of a mail. */
export function writeMessage(content: MailContent, brand: MailBrand): MailMessage {
  const { kind, language, link, counts, expiresAt, stop } = content
  const { kinds, counts: names, frame } = TEXTS[language].mails
  const broker = brandName(brand)
  const lines = Object.entries(counts ?? {}).filter(([, count]) => count > 0) as [MailCount, number][]
  const total = lines.reduce((sum, [, count]) => sum + count, 0).toLocaleString(language)
  const fill = (template: string) => template.replaceAll('{broker}', () => broker).replaceAll('{total}', total)
  const [subject, { lead, action }] = [fill(kinds[kind].subject), kinds[kind]]
  const rows = lines.map(([name, count]) => [names[name], count.toLocaleString(language)] as const)
  const notes = stop === null ? [frame.once.replace('{until}', untilText(expiresAt, language)), frame.unexpected] : []
  const text = [
    subject,
    '',
    lead,
    ...rows.map(([name, count]) => `- ${name}: ${count}`),
    '',
    `${action}:`,
    link,
    ...notes.flatMap((note) => ['', note]),
    '',
    '-- ',
    broker,
    ...(stop === null ? [] : [frame.why, `${frame.stop}: ${stop.url}`, `${frame.settings}: ${stop.settings}`]),
    '',
  ].join('\n')
  return { subject, text, html: htmlOf({ language, subject, lead, rows, action, link, notes, stop }, brand) }
}

interface Parts extends Pick<MailContent, 'language' | 'link' | 'stop'> {
  readonly subject: string
  readonly lead: string
  readonly rows: readonly (readonly [name: string, count: string])[]
  readonly action: string
  readonly notes: readonly string[]
}

function htmlOf({ language, subject, lead, rows, action, link, notes, stop }: Parts, brand: MailBrand): string {
  const { frame } = TEXTS[language].mails
  const name = escapeHtml(brandName(brand))
  const head = brand.logo === null ? name : `<img src="cid:${logoId}" alt="${name}" height="40" style="height:40px">`
  const cells = rows.map(
    ([label, count]) =>
      `<tr><td style="${style.cell}">${escapeHtml(label)}</td><td style="${style.number}">${count}</td></tr>`,
  )
  const table =
    cells.length === 0
      ? ''
      : `<table role="presentation" width="100%" cellspacing="0" style="margin:0 0 20px">${cells.join('')}</table>`
  const paragraphs = notes.map((note) => `<p style="${style.small}">${escapeHtml(note)}</p>`)
  const foot =
    stop === null
      ? name
      : `${name}. ${escapeHtml(frame.why)}<br><a href="${escapeHtml(stop.url)}" style="color:#52606d">${escapeHtml(frame.stop)}</a> · ` +
        `<a href="${escapeHtml(stop.settings)}" style="color:#52606d">${escapeHtml(frame.settings)}</a>`
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="${style.page}"><div style="${style.card}"><p style="${style.brand}">${head}</p>
<h1 style="${style.title}">${escapeHtml(subject)}</h1><p style="${style.text}">${escapeHtml(lead)}</p>${table}
<p style="margin:0"><a href="${escapeHtml(link)}" style="${style.button}">${escapeHtml(action)}</a></p>${paragraphs.join('')}</div>
<p style="${style.foot}">${foot}</p></body></html>
`
}
