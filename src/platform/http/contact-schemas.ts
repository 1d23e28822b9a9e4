import { type Static, Type } from 'typebox'
import { email, phone } from '#kernel/field-types.ts'
import { Closed, Name, Nullable } from './schemas.ts'

/** People to talk to, of a company or a contract, in a response. */
export const Contacts = Type.Array(
  Type.Object({ name: Type.String(), email: Nullable(Type.String()), phone: Nullable(Type.String()) }),
)

/** The same in a body. */
export const ContactsInput = Type.Array(
  Closed({
    name: Name,
    email: Type.Optional(Nullable(Type.Unsafe<string>(email.schema))),
    phone: Type.Optional(Nullable(Type.Unsafe<string>(phone.schema))),
  }),
  { maxItems: 20 },
)

/** Contacts with all their keys, as they are stored. */
export const storedContacts = (contacts: Static<typeof ContactsInput>): Static<typeof Contacts> =>
  contacts.map((contact) => ({
    name: contact.name.trim(),
    email: contact.email ?? null,
    phone: phone.parse(contact.phone) ?? null,
  }))
