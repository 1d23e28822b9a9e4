import { searchParameter } from '#platform/http/search-parameter.ts'
import { type Static, Type } from 'typebox'
import { AnsRegistration, CnpjInput } from '../carriers/schema.ts'
import {
  CONTRACT_CHANNELS,
  CONTRACT_LIVES,
  CONTRACT_STATUSES,
  RETIREMENT_REMAINDERS,
  AGE_ON,
  PRORATIONS,
  RETROACTIVE_UNITS,
} from '#kernel/broker-enums.ts'
import { MAX_FEE } from '../rules/contract-fee.ts'
import { IMPERSONAL_ENTRY_TYPES } from '#kernel/reconciliation.ts'
import { codeMap, mapping, mappingDescription } from './acknowledgement-schema.ts'
import { Contacts, ContactsInput } from '#platform/http/contact-schemas.ts'
import { Calendar, CalendarBody, calendarExample, Month } from './calendar-schema.ts'
import { CARRIER_DIRECTIONS, type CarrierDirection } from '../rules/layout.ts'
import {
  Closed,
  Cnpj,
  Code,
  DateOnly,
  Name,
  Named,
  Nullable,
  nullable,
  optional,
  OneOf,
  Text,
  Uuid,
  pageQuery,
} from '#platform/http/schemas.ts'
import { filters } from '#platform/http/filters.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'

/** The path parameter of a contract. */
export const ContractPath = Type.Object({ contractId: { ...Uuid, description: 'From the list of contracts.' } })

export const ContractQuery = Closed({
  'company-tax-id': filters.company,
  q: searchParameter('the number or of the carrier’s name'),
  'carrier-name': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_CHARACTERS,
      description: 'The whole name, without case and accents.',
    }),
  ),
  ...pageQuery,
})

const retroactiveLimit = Closed({
  unit: OneOf(RETROACTIVE_UNITS, {
    description:
      '`days`: before the day on which the carrier is told; `months`: reference months before the invoice that has it.',
  }),
  count: Type.Integer({ minimum: 0, maximum: 366, description: 'How many.' }),
})

const plan = nullable({
  'carrier-plan-code': Code(30, 'The plan’s code at the carrier.', ['AE1230']),
  'ans-plan-number': Type.String({
    pattern: '^\\d{9}$',
    description: 'The plan’s registration at the ANS.',
    examples: ['471234567'],
  }),
  'plan-version': Code(20, 'The version of the plan’s code.', ['002']),
})

const contractNumber = Code(30, 'As the carrier has it, 1 to 30 characters of ASCII.', ['900001'])
const companyCode = Nullable(Code(30, 'The company’s code at the carrier.', ['EMP-0042']))
const channel = Nullable(OneOf(CONTRACT_CHANNELS, { description: 'How the carrier takes movements.' }))
const settings = nullable({
  lives: OneOf(CONTRACT_LIVES, { description: 'The size of the contract, by which carriers ask for documents.' }),
  'contract-start': DateOnly,
  'anniversary-month': Type.Integer({ minimum: 1, maximum: 12, description: 'Of the yearly adjustment.' }),
  contributory: Type.Boolean({ description: 'Whether employees pay a part of the price.' }),
  coparticipation: Type.Boolean({ description: 'Whether employees pay a part of what they use.' }),
  'post-paid': Type.Boolean({
    description: 'Whether the price is what was used: no person keeps such a plan after leaving.',
  }),
  'retirement-remainder': OneOf(RETIREMENT_REMAINDERS, {
    description:
      'What becomes of the months beyond whole years of a retired person’s contribution: the norm does not say, and without it such a term is not calculated.',
  }),
  'age-on': OneOf(AGE_ON, {
    description:
      'The day of the month of the invoice on which the age counts, by which a person has the price of a band. ' +
      '`month-after-birthday`: from the month after the birthday on; `birthday-month`: from that of the birthday on; `contract-anniversary`: ' +
      'the first day of the last `anniversary-month`. Contracts differ: without it such prices are not calculated.',
  }),
  proration: OneOf(PRORATIONS, {
    description:
      'What a month costs that is covered in part. `none`: the whole price; `daily-30`: the covered days in thirtieths; `daily-calendar`: in days ' +
      'of the month; `full-if-started-until-day`: the whole price, or nothing when the cover starts after `proration-day`. Contracts differ: without it no ' +
      'price is calculated.',
  }),
  'proration-day': Type.Integer({ minimum: 1, maximum: 31, description: 'Of `full-if-started-until-day`.' }),
})
const retroactive = nullable({
  'retroactive-exclusion': {
    ...retroactiveLimit,
    description: 'How far back the carrier recognizes an end and credits it. null: not known.',
  },
  'retroactive-inclusion': {
    ...retroactiveLimit,
    description: 'How far back the carrier recognizes a start. null: not known.',
  },
  'coparticipation-delay-months': Type.Integer({
    minimum: 0,
    maximum: 24,
    description: 'Until how many months after the end of a cover its co-participation may still come. null: not known.',
  }),
})
const subContract = Type.String({
  pattern: '^([!-~]([ -~]{0,18}[!-~])?)?$',
  description: 'Subfatura or subestipulante, up to 20 characters of ASCII; empty: none.',
  examples: ['0002'],
})
const answerDescription = 'So many business days after a movement was sent the carrier should have answered.'
const answerWithin = Type.Integer({ minimum: 1, maximum: 90, description: answerDescription })
const toleranceDescription = 'Cents by which a charge may differ from what is expected.'
const tolerance = Type.Integer({ minimum: 0, maximum: 100_000, description: toleranceDescription })
const feesDescription =
  'What invoices may charge without a person, such as fees and taxes. Entries of no person that are not listed, or are more than listed, are the ' +
  'discrepancy `fee-unknown`.'
const entryType = OneOf(IMPERSONAL_ENTRY_TYPES)
const fee = nullable({
  'entry-code': Code(30, 'As the carrier has it.', ['51']),
  amount: Type.Integer({
    minimum: -MAX_FEE,
    maximum: MAX_FEE,
    description: 'What an invoice has of it in all, in cents; negative for a discount. null: any amount.',
  }),
  name: { ...Name, description: 'What it is for.' },
})
const showDescription =
  'Whether the company and its partners read what differs from the files of the carrier (`GET /v1/discrepancy`).'
const showDiscrepancies = Type.Boolean({ description: showDescription })
const statusDescription = 'A product is in one active contract at most.'
const status = OneOf(CONTRACT_STATUSES, { description: statusDescription })

const layoutsDescription = 'The layouts of its files, by their direction; of each the latest version counts.'
const layoutOf = (direction: string) =>
  Type.String({
    pattern: '^[a-z0-9-]{1,36}$',
    description: `A layout of the direction \`${direction}\`.`,
    examples: ['generic-csv'],
  })

function layoutsBy<T>(schemaOf: (direction: CarrierDirection) => T): Record<CarrierDirection, T> {
  const entries = CARRIER_DIRECTIONS.map((direction) => [direction, schemaOf(direction)])
  return Object.fromEntries(entries) as Record<CarrierDirection, T>
}

const nextCutOff = Type.Object({ month: Month, 'cut-off-date': DateOnly, 'coverage-start': DateOnly })

export const Contract = Named(
  'Contract',
  Type.Object({
    'contract-id': Uuid,
    'company-tax-id': Cnpj,
    'carrier-name': Text,
    'contract-number': contractNumber,
    'sub-contract': subContract,
    'carrier-company-code': companyCode,
    plans: Type.Array(
      Type.Object({
        'product-id': Uuid,
        ...plan,
      }),
    ),
    'ans-registration': Nullable(AnsRegistration),
    'carrier-tax-id': Nullable(Cnpj),
    ...settings,
    ...retroactive,
    tolerance,
    'contract-fees': Type.Array(
      Named(
        'ContractFee',
        Type.Object({
          'entry-type': entryType,
          ...fee,
        }),
      ),
      { description: feesDescription },
    ),
    channel,
    layouts: Type.Object(
      layoutsBy((direction) => Nullable(layoutOf(direction))),
      { description: layoutsDescription },
    ),
    calendar: Nullable(Calendar),
    contacts: Contacts,
    'answer-within-business-days': answerWithin,
    'code-map': codeMap,
    'acknowledgement-mapping': Nullable(mapping),
    'show-discrepancies': showDiscrepancies,
    status,
    'next-cut-off': Nullable(nextCutOff),
  }),
)
export type ContractData = Static<typeof Contract>

const bodyExample = {
  'company-tax-id': '12ABC34501DE35',
  'carrier-name': 'Operadora Aurora',
  'contract-number': '900001',
  'sub-contract': '0002',
  'carrier-company-code': 'EMP-0042',
  plans: [
    {
      'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
      'carrier-plan-code': 'AE1230',
      'ans-plan-number': '471234567',
    },
  ],
  lives: '30-or-more',
  'contract-start': '2024-03-01',
  'anniversary-month': 3,
  contributory: true,
  coparticipation: false,
  'post-paid': false,
  'retirement-remainder': 'whole-years',
  'age-on': 'month-after-birthday',
  proration: 'daily-30',
  tolerance: 0,
  'contract-fees': [{ 'entry-type': 'fee', 'entry-code': '51', amount: 4500, name: 'Taxa de administração' }],
  channel: 'portal',
  layouts: { movement: 'generic-csv' },
  calendar: calendarExample,
  'code-map': [
    {
      code: '17',
      status: 'pending-documents',
      'pending-items': [
        {
          kind: 'document',
          'document-type': 'birth-certificate-or-national-id',
          message: 'Certidão de nascimento ou RG',
        },
      ],
    },
  ],
  contacts: [{ name: 'Mesa de Movimentação', email: 'movimentacao@aurora.example' }],
}

export const contractExample = {
  'contract-id': '01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01',
  ...bodyExample,
  plans: [{ ...bodyExample.plans[0], 'plan-version': null }],
  'ans-registration': null,
  'carrier-tax-id': null,
  'proration-day': null,
  'retroactive-exclusion': { unit: 'days', count: 30 },
  'retroactive-inclusion': null,
  'coparticipation-delay-months': 2,
  layouts: { movement: 'generic-csv', acknowledgement: null, roster: null, invoice: null, coparticipation: null },
  calendar: { ...calendarExample, 'cut-off-business-days-before-billing': null },
  contacts: [{ ...bodyExample.contacts[0], phone: null }],
  'answer-within-business-days': 10,
  'acknowledgement-mapping': null,
  'show-discrepancies': false,
  status: 'active',
  'next-cut-off': { month: '2026-12', 'cut-off-date': '2026-12-10', 'coverage-start': '2027-01-01' },
}

/** The body of a POST and of a PUT: the whole contract. */
export const ContractBody = Closed(
  {
    'company-tax-id': CnpjInput,
    'carrier-name': { ...Name, description: 'Of a product of any company, without case and accents.' },
    'contract-number': contractNumber,
    'sub-contract': Type.Optional(Nullable(subContract)),
    'carrier-company-code': Type.Optional(companyCode),
    plans: Type.Optional(
      Type.Array(
        Closed({
          'product-id': Uuid,
          ...optional(plan),
        }),
        { maxItems: 500, description: 'The products of the contract, also retired ones.' },
      ),
    ),
    'ans-registration': Type.Optional(
      Nullable({ ...AnsRegistration, description: 'Where it is not that of the carrier, 6 digits.' }),
    ),
    'carrier-tax-id': Type.Optional(Nullable(CnpjInput)),
    ...optional(settings),
    ...optional(retroactive),
    tolerance: Type.Optional({ ...tolerance, description: `${toleranceDescription} Default: 0.` }),
    'contract-fees': Type.Optional(
      Type.Array(
        Closed({
          'entry-type': entryType,
          ...optional(fee),
        }),
        { maxItems: 50, description: feesDescription },
      ),
    ),
    channel: Type.Optional(channel),
    layouts: Type.Optional({
      ...Closed(layoutsBy((direction) => Type.Optional(Nullable(layoutOf(direction))))),
      description: layoutsDescription,
    }),
    calendar: Type.Optional(
      Type.Unsafe<Static<typeof CalendarBody> | null>({ ...CalendarBody, type: ['object', 'null'] }),
    ),
    contacts: Type.Optional({ ...ContactsInput, description: 'Who at the carrier takes the movements.' }),
    'answer-within-business-days': Type.Optional({ ...answerWithin, description: `${answerDescription} Default: 10.` }),
    'code-map': Type.Optional(codeMap),
    'acknowledgement-mapping': Type.Optional(
      Type.Unsafe<Static<typeof mapping> | null>({
        ...mapping,
        description: mappingDescription,
        type: ['object', 'null'],
      }),
    ),
    'show-discrepancies': Type.Optional({ ...showDiscrepancies, description: `${showDescription} Default: false.` }),
    status: Type.Optional({ ...status, description: `${statusDescription} Default: \`active\`.` }),
  },
  { examples: [bodyExample] },
)
export type ContractInput = Static<typeof ContractBody>
