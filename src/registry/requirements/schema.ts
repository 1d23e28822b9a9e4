import { type Static, Type } from 'typebox'
import { CONTRACT_LIVES } from '#kernel/broker-enums.ts'
import {
  BENEFICIARY_TYPES,
  DEPENDENT_TYPES,
  DOCUMENT_TYPES,
  EXCLUSION_REASONS,
  MOVEMENT_KINDS,
  WORK_CONTRACT_TYPES,
} from '#kernel/enums.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import { PageOf } from '#platform/http/page.ts'
import { CONDITIONS, DOCUMENT_OWNERS, ENFORCEMENTS } from '../rules/requirement.ts'
import { Closed, DateOnly, Name, Named, noControls, Nullable, OneOf, Text, Uuid } from '#platform/http/schemas.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'

export const RulePath = Type.Object({
  ruleId: { ...Uuid, description: 'From the list of rules; for a new rule an id of your own.' },
})

const years = (description: string) => Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 120, description })))

const conditions = {
  'carrier-names': Type.Optional(
    Type.Array(Text, { maxItems: 100, description: 'Compared without case and accents.' }),
  ),
  'product-types': Type.Optional(Type.Array(Text, { maxItems: 100 })),
  'product-ids': Type.Optional(Type.Array(Uuid, { maxItems: 100 })),
  'company-tax-ids': Type.Optional(Type.Array(Type.String({ format: 'cnpj' }), { maxItems: 100 })),
  movements: Type.Optional(Type.Array(OneOf(MOVEMENT_KINDS), { maxItems: 3 })),
  'beneficiary-types': Type.Optional(Type.Array(OneOf(BENEFICIARY_TYPES), { maxItems: 2 })),
  'dependent-types': Type.Optional(Type.Array(OneOf(DEPENDENT_TYPES), { maxItems: 20 })),
  'work-contract-types': Type.Optional(Type.Array(OneOf(WORK_CONTRACT_TYPES), { maxItems: 20 })),
  'exclusion-reasons': Type.Optional(Type.Array(OneOf(EXCLUSION_REASONS), { maxItems: 20 })),
  lives: Type.Optional(Nullable(OneOf(CONTRACT_LIVES, { description: 'Of the contract that has the product.' }))),
  'age-from': years('Whole years, included.'),
  'age-until': years('Whole years, included.'),
  'days-since-admission-over': Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 3650,
        description: 'More days than this after the admission of the primary.',
      }),
    ),
  ),
  late: Type.Optional(
    Nullable(Type.Boolean({ description: 'Of an inclusion: whether it is late, as the warning `late-inclusion`.' })),
  ),
}

const AnyOf = Type.Array(OneOf(DOCUMENT_TYPES), {
  minItems: 1,
  maxItems: 20,
  description: 'Document types of which one is enough.',
})
const Message = Type.String({
  minLength: 1,
  maxLength: MAX_REASON_CHARACTERS,
  ...noControls,
  pattern: '\\S',
  description: 'What the partner has to send, in the words of the operator.',
  examples: ['Declaração de união estável com firma reconhecida'],
})
const Owner = OneOf(DOCUMENT_OWNERS, { description: 'Whom the document is about.' })
export const Enforcement = OneOf(ENFORCEMENTS, {
  description:
    '`pending`: the movement waits for the document; `offense`: it is refused without it; `warning`: it is only said. Default: `pending`.',
})

const example = {
  name: 'Companheiro: declaração de união estável',
  active: true,
  'valid-from': '2026-11-01',
  when: { movements: ['inclusion'], 'beneficiary-types': ['dependent'], 'dependent-types': ['partner'] },
  require: [
    {
      'any-of': ['stable-union-declaration', 'document-proving-relationship'],
      of: 'dependent',
      message: 'Declaração de união estável com firma reconhecida',
    },
  ],
  enforcement: 'pending',
} as const

/** The body of a PUT: the whole rule. */
export const RuleBody = Closed(
  {
    name: { ...Name, description: 'For operators; partners do not see it.' },
    active: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
    'valid-from': Type.Optional(Nullable({ ...DateOnly, description: 'Null: already.' })),
    when: Type.Optional(Named('RequirementConditions', Closed(conditions))),
    require: Type.Array(
      Named('RequiredDocumentInput', Closed({ 'any-of': AnyOf, of: Type.Optional(Nullable(Owner)), message: Message })),
      { minItems: 1, maxItems: 20 },
    ),
    enforcement: Type.Optional(Enforcement),
  },
  { examples: [example] },
)
export type RuleInput = Static<typeof RuleBody>

/** A document that a rule asks for. */
export const requiredDocument = { 'any-of': AnyOf, of: Nullable(Owner), message: Message }
const RequiredDocument = Named('RequiredDocument', Type.Object(requiredDocument))

const ruleFields = {
  'rule-id': Uuid,
  name: Text,
  active: Type.Boolean(),
  'valid-from': Nullable(DateOnly),
  when: {
    ...Type.Required(Type.Object(conditions)),
    description: 'Every condition as in the body; an empty list and null hold for every movement.',
  },
  require: Type.Array(RequiredDocument),
  enforcement: Enforcement,
  'created-at': Type.String({ format: 'date-time' }),
  'updated-at': Type.String({ format: 'date-time' }),
}
export const Rule = Named('RequirementRule', Type.Object(ruleFields))
const ListedRule = Named(
  'ListedRequirementRule',
  Type.Object({
    ...ruleFields,
    'movements-of-30-days': Type.Integer({
      description: 'Movements of partners of the last 30 days that its conditions hold for, also while it is off.',
    }),
  }),
)

export const PutRuleResponse = Type.Object(
  {
    result: Rule,
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          warning: OneOf(['rule-shadowed'], {
            description: '`rule-shadowed`: another rule asks at least for the same documents of the same movements.',
          }),
          'rule-id': { ...Uuid, description: 'The other rule.' },
        }),
      ),
    ),
  },
  { description: 'The rule as it is stored.' },
)

export const RuleList = PageOf(ListedRule, 'A page of rules.')

/** A member that does not exist, without personal data. */
export const SimulationBody = Closed(
  {
    'company-tax-id': CompanyTaxId,
    'product-id': { ...Uuid, description: 'A product of the company.' },
    movement: OneOf(MOVEMENT_KINDS),
    'beneficiary-type': OneOf(BENEFICIARY_TYPES),
    'dependent-type': Type.Optional(Nullable(OneOf(DEPENDENT_TYPES))),
    'work-contract-type': Type.Optional(Nullable(OneOf(WORK_CONTRACT_TYPES))),
    'exclusion-reason': Type.Optional(Nullable(OneOf(EXCLUSION_REASONS))),
    age: years('In whole years.'),
    'days-since-admission': Type.Optional(Nullable(Type.Integer({ minimum: -3650, maximum: 36_500 }))),
    late: Type.Optional(Nullable(Type.Boolean())),
    'document-types': Type.Optional(
      Type.Array(OneOf(DOCUMENT_TYPES), { maxItems: 100, description: 'The documents that come with it.' }),
    ),
  },
  {
    examples: [
      {
        'company-tax-id': '7B4XK2M9000194',
        'product-id': '01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e',
        movement: 'inclusion',
        'beneficiary-type': 'dependent',
        'dependent-type': 'partner',
      },
    ],
  },
)
export type Simulation = Static<typeof SimulationBody>

export const SimulationResponse = Type.Object(
  {
    result: Type.Object({
      enforcement: Nullable(OneOf(ENFORCEMENTS, { description: 'The strictest; null when no document is missing.' })),
      'missing-documents': Type.Array(Type.Object({ ...requiredDocument, enforcement: Enforcement }), {
        description: 'What is asked for and not there, by the rules in force.',
      }),
      rules: Type.Array(
        Type.Object({
          'rule-id': Uuid,
          name: Text,
          matches: Type.Boolean({ description: 'Whether the rule is in force and all conditions hold.' }),
          'failed-conditions': Type.Array(OneOf(['active', 'valid-from', ...CONDITIONS]), {
            description: 'Why it does not match.',
          }),
        }),
        { description: 'All rules, those that match first.' },
      ),
    }),
  },
  {
    description: 'What the rules ask of the member.',
  },
)
