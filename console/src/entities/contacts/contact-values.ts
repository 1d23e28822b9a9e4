import type { Result } from '@vigencia/client'

export type Contacts = Result<'readAnyCompany'>['contacts']

/** A contact in a form. */
export interface ContactValues {
  /** The same while the contact is in the list. */
  readonly key: string
  readonly name: string
  readonly email: string
  readonly phone: string
}

let contacts = 0
const nextKey = () => `contact-${++contacts}`

export const newContact = (): ContactValues => ({ key: nextKey(), name: '', email: '', phone: '' })

export const contactValues = (known: Contacts): ContactValues[] =>
  known.map(({ name, email, phone }) => ({ key: nextKey(), name, email: email ?? '', phone: phone ?? '' }))

/** What the service takes. */
export const contactsBody = (values: readonly ContactValues[]): Contacts =>
  values.map(({ name, email, phone }) => ({
    name: name.trim(),
    email: email.trim() || null,
    phone: phone.trim() || null,
  }))
