/* How shipments come to carriers: closed sets, and the templates of e-mails. */
import type { FieldError } from '#kernel/fields.ts'

/** Whether a closed shipment is delivered when it is closed, or when an operator says so. */
export const DELIVERY_MODES = ['by-hand', 'automatic'] as const

/** The channels that the service itself delivers by. */
export const DELIVERY_CHANNELS = ['sftp', 'connector'] as const
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number]

/** What `{name}` stands for in the subject and the text of an e-mail. */
export const EMAIL_PLACEHOLDERS = [
  'company-name',
  'company-tax-id',
  'carrier-name',
  'contract-number',
  'sub-contract',
  'shipment-number',
  'cut-off-date',
  'coverage-start',
  'items',
  'file-name',
] as const
type EmailPlaceholder = (typeof EMAIL_PLACEHOLDERS)[number]

const placeholder = /\{([^{}]*)\}/g
const isKnown = (name: string): name is EmailPlaceholder => (EMAIL_PLACEHOLDERS as readonly string[]).includes(name)

/** The names in braces that stand for nothing. */
export function templateErrors(field: string, template: string): FieldError[] {
  const unknown = [...template.matchAll(placeholder)].filter(([, name = '']) => !isKnown(name))
  if (unknown.length === 0) return []
  return [{ field, code: 'invalid', message: { key: 'one-of', values: EMAIL_PLACEHOLDERS.map((name) => `{${name}}`) } }]
}

/** A template with its values. */
export function fillTemplate(template: string, values: Readonly<Record<EmailPlaceholder, string>>): string {
  return template.replaceAll(placeholder, (written, name: string) => (isKnown(name) ? values[name] : written))
}
