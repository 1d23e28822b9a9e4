import { Type } from 'typebox'
import { DateOnly, Uuid } from './schemas.ts'

/** The CNPJ of a company in a query or a body. */
export const CompanyTaxId = Type.String({
  format: 'cnpj',
  description: 'CNPJ, formatted or not.',
  examples: ['11222333000181'],
})

/** The path parameter of a company. */
export const CompanyPath = Type.Object({
  companyTaxId: {
    ...CompanyTaxId,
    description: 'CNPJ, formatted (the slash as `%2F`) or not, letters in either case.',
  },
})

/** Query parameters that several lists are filtered by. */
export const filters = {
  company: Type.Optional({ ...CompanyTaxId, description: 'CNPJ, formatted or not: only this company.' }),
  contract: Type.Optional({ ...Uuid, description: 'Only those of this contract.' }),
  carrier: Type.Optional({ ...Uuid, description: 'Only those of contracts of this carrier.' }),
}

/** The days of what a list is filtered by. @param field of the item. */
export const daysOf = (field: string) => ({
  'from-dt': Type.Optional({
    ...DateOnly,
    description: `First day of \`${field}\` in America/Sao_Paulo, included. May be sent alone.`,
  }),
  'until-dt': Type.Optional({
    ...DateOnly,
    description: `Last day of \`${field}\`, included; the same as \`from-dt\` asks for one day. May be sent alone.`,
  }),
})

/** A parameter by which a list is filtered: one of the values, or several. */
export function several<const T extends readonly string[]>(values: T, description: string) {
  const one = { type: 'string', enum: [...values] }
  return Type.Optional(
    Type.Unsafe<readonly T[number][]>({
      anyOf: [one, { type: 'array', items: one }],
      description: `${description} Several have commas between them.`,
    }),
  )
}
