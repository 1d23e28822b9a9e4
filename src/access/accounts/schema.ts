import { type Static, Type } from 'typebox'
import { PERSON_ROLES, PERSON_STATUSES } from '#kernel/enums.ts'
import { email } from '#kernel/field-types.ts'
import { Closed, Cnpj, Name, Named, Nullable, OneOf, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'

export const PersonPath = Type.Object({ personId: Uuid })

/** The token of a link: 32 random bytes. */
export const Token = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'What follows `#` in the link.',
  examples: ['q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM'],
})

const Email = Type.Unsafe<string>({
  ...email.schema,
  maxLength: 254,
  description: 'For the sign-in, without regard to case. A person keeps it.',
  examples: ['ana.prado@broker.example'],
})
const SeeMoney = Type.Boolean({
  description: 'Of `company-hr`: whether the person sees the invoices of the companies.',
})
const TaxIds = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 1_000,
  description: 'Of `company-hr` only, which needs one: CNPJs of existing companies, formatted or not.',
})

export const NewPerson = Closed(
  {
    name: Name,
    email: Email,
    role: OneOf(PERSON_ROLES),
    'company-tax-ids': Type.Optional(TaxIds),
    'see-money': Type.Optional(SeeMoney),
  },
  {
    examples: [
      { name: 'Ana Prado', email: 'ana.prado@broker.example', role: 'analyst' },
      {
        name: 'Bruno Lima',
        email: 'bruno.lima@aurora.example',
        role: 'company-hr',
        'company-tax-ids': ['12.ABC.345/01DE-35'],
        'see-money': true,
      },
    ],
  },
)
export type NewPerson = Static<typeof NewPerson>

export const PersonChange = Closed(
  {
    name: Type.Optional(Name),
    role: Type.Optional(
      OneOf(PERSON_ROLES, { description: 'A person of a company stays one, and an operator stays an operator.' }),
    ),
    'company-tax-ids': Type.Optional(TaxIds),
    'see-money': Type.Optional(SeeMoney),
  },
  { examples: [{ role: 'finance' }] },
)
export type PersonChange = Static<typeof PersonChange>

export const Person = Named(
  'Person',
  Type.Object({
    'person-id': Type.String({ ...Uuid, description: 'Its `client-id` in sessions, histories and the audit.' }),
    name: Text,
    email: Type.String({ examples: ['ana.prado@broker.example'] }),
    role: OneOf(PERSON_ROLES),
    status: OneOf(PERSON_STATUSES, { description: '`invited` until the person has set a password.' }),
    'company-tax-ids': Type.Array(Cnpj, { description: 'Of `company-hr`: the companies that the person works for.' }),
    'see-money': Type.Boolean({ description: 'Whether the person sees the invoices of these companies.' }),
    passkeys: Type.Integer({ description: 'How many passkeys the person has.' }),
    'created-at': Timestamp,
    'last-sign-in-at': Nullable(Timestamp),
    'link-expires-at': Nullable(
      Type.String({ ...Timestamp, description: 'Of a link that was not used; null: there is none.' }),
    ),
  }),
)

export const PersonLink = Named(
  'PersonLink',
  Type.Object({
    'person-id': Uuid,
    link: Type.String({
      description: 'The address of the page where the person sets a password, once. Shown only in this response.',
    }),
    'expires-at': Timestamp,
    mailed: Type.Boolean({ description: 'Whether the person gets it by e-mail, too: where mail is on.' }),
  }),
)
