import { type Static, Type } from 'typebox'
import { Closed, Cnpj, Name, Named, Nullable, Text, Uuid } from '#platform/http/schemas.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'

/** A number of the ANS. */
export const AnsRegistration = Type.String({
  pattern: '^\\d{6}$',
  description: 'The registration of the carrier at the ANS, 6 digits.',
  examples: ['326305'],
})

export const CnpjInput = CompanyTaxId

export const Carrier = Named(
  'Carrier',
  Type.Object({
    name: Text,
    'carrier-id': Uuid,
    'ans-registration': Nullable(AnsRegistration),
    'tax-id': Nullable(Cnpj),
  }),
)

const carrier = {
  name: 'Operadora Aurora',
  'carrier-id': '01995e0b-31c4-7a40-9a5b-0c6d7e8f9a10',
  'ans-registration': '326305',
  'tax-id': '60840055000131',
}

/** The body of a PUT: the whole carrier. */
export const CarrierBody = Closed(
  {
    name: { ...Name, description: 'The same name, in another spelling of case and accents.' },
    'ans-registration': Type.Optional(Nullable(AnsRegistration)),
    'tax-id': Type.Optional(Nullable(CnpjInput)),
  },
  { examples: [{ name: carrier.name, 'ans-registration': '326305', 'tax-id': '60840055000131' }] },
)
export type CarrierInput = Static<typeof CarrierBody>
