// The closed sets of e-mails to people.
import type { PersonRole } from './enums.ts'

/** Mails with a link that works once: they cannot be switched off. */
const LINK_MAILS = ['invitation', 'password-link', 'onboarding-link'] as const
export type LinkMail = (typeof LINK_MAILS)[number]

/** Mails that tell how many there are of what waits. */
export const DIGESTS = ['pending-items', 'deadlines', 'failed-deliveries', 'drafts', 'second-admin'] as const
export type Digest = (typeof DIGESTS)[number]

export const MAIL_KINDS = [...LINK_MAILS, ...DIGESTS] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** `doubtful`: nobody knows whether the server took it. It is not sent again by itself. */
export const MAIL_STATUSES = ['queued', 'sending', 'sent', 'failed', 'doubtful', 'cancelled'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

export const MAIL_FREQUENCIES = ['at-once', 'daily', 'never'] as const
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number]

/** The frequencies of a person who has not chosen. */
export const DEFAULT_FREQUENCIES: Readonly<Record<Digest, MailFrequency>> = {
  'pending-items': 'daily',
  deadlines: 'daily',
  'failed-deliveries': 'daily',
  drafts: 'daily',
  'second-admin': 'at-once',
}

/** The digests that somebody with the role gets. */
export function digestsOf(role: PersonRole): readonly Digest[] {
  switch (role) {
    case 'admin':
      return ['deadlines', 'failed-deliveries', 'drafts', 'second-admin']
    case 'analyst':
      return ['deadlines', 'failed-deliveries', 'drafts']
    case 'company-hr':
      return ['pending-items', 'drafts']
    case 'finance':
    case 'auditor':
      return []
    default:
      return role satisfies never
  }
}

/** What digests count. */
const MAIL_COUNTS = [
  'pending-documents',
  'pending-correction',
  'submissions',
  'due',
  'overdue-answers',
  'shipments',
  'webhooks',
  'steps',
  'mails',
  'drafts',
  'plans',
] as const
export type MailCount = (typeof MAIL_COUNTS)[number]
