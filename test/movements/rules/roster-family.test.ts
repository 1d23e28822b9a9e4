import { expect, test } from 'vitest'
import { deriveFamily } from '#movements/rules/roster-family.ts'
import type {
  RosterItem,
  RosterLine,
  RosterMember,
  RosterMovement,
  RosterPerson,
  RosterTerms,
} from '#movements/rules/roster.ts'
import {
  BEATRIZ,
  benefit,
  benefitOfHelena,
  derive,
  family,
  HELENA,
  member,
  ofBeatriz,
  ofHelena,
  person,
  short,
  terms,
} from './roster-people.ts'

type Lines = readonly Partial<RosterLine>[]
type Benefits = readonly ReturnType<typeof benefit>[]

const beatriz = (lines: Lines, benefits: Benefits, values: Partial<RosterMember> = {}): RosterPerson =>
  person(
    'primary',
    lines.map((one, index) => ofBeatriz(one, index + 2)),
    member(BEATRIZ, benefits, values),
  )
const helena = (lines: Lines, benefits: Benefits, values: Partial<RosterMember> = {}): RosterPerson =>
  person(
    'dependent',
    lines.map((one, index) => ofHelena(one, index + 12)),
    member(HELENA, benefits, values),
  )
const newBeatriz = (...lines: Lines): RosterPerson =>
  person(
    'primary',
    lines.map((one, index) => ofBeatriz(one, index + 2)),
    null,
  )

const health = benefit('essential')
const executive = benefit('executive')
const dental = benefit('dental')
const SAUDE = { productName: 'SAUDE  essencial' }
const EXECUTIVA = { productName: 'Saúde Executiva' }
const BASICA = { productName: 'Saúde Básica' }
const ODONTO = { productName: 'Odonto Mais' }
const lastDay = { exclusion: { 'end-date': '2026-12-31' } }
const dismissed = { exclusion: { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal-without-cause' } }
const people = { states: ['people'] } as const
const dependents = { states: ['people', 'dependents'] } as const
const products = { states: ['people', 'products'] } as const
const data = (profile: RosterLine['profile']) => ({ profile })
const open = (kind: RosterMovement['kind'], productId: string, destinationProductId: string | null = null) => ({
  openMovements: [{ enrollmentId: 'open', kind, productId, destinationProductId }],
})
const waits = (kind: RosterMember['waiting'][number]['class'], productId: string | null = null) => ({
  waiting: [{ class: kind, productId }],
})
const helenaGoes = 'Helena exclusion [Saúde Essencial] product-name: Saúde Essencial → null'
const goes = (explanation = '') =>
  `Beatriz exclusion ${explanation}[Saúde Essencial] product-name: Saúde Essencial → null`
const stays = (explanation: string) =>
  `Beatriz held ${explanation} [Saúde Essencial] product-name: Saúde Essencial → null`
const comes = (explanation: string) => `Beatriz held ${explanation} [Odonto Mais] product-name: null → Odonto Mais`
const included = 'Beatriz inclusion [Odonto Mais] product-name: null → Odonto Mais'
const changed = 'product-name: Saúde Essencial → Saúde Executiva'
const leaves = 'end-date: null → 2026-12-31'

type Row = readonly [
  what: string,
  people: readonly RosterPerson[],
  values: Partial<RosterTerms>,
  items: readonly string[],
]

const inclusions: readonly Row[] = [
  ['a new person in a product', [newBeatriz(ODONTO)], {}, [included]],
  [
    'in two products at once',
    [newBeatriz(ODONTO, SAUDE)],
    {},
    [
      'Beatriz inclusion [Odonto Mais, Saúde Essencial] product-name: null → Odonto Mais, product-name: null → Saúde Essencial',
    ],
  ],
  [
    'in the product of the list',
    [newBeatriz({})],
    { defaults: { startOption: null, productNames: ['odonto mais'] } },
    [included],
  ],
  ['without a product', [newBeatriz({})], {}, ['Beatriz held product-not-stated']],
  ['somebody here without cover and product', [beatriz([{}], [])], {}, ['Beatriz held product-not-stated']],
  ['somebody whose cover ended', [beatriz([ODONTO], [])], {}, [included]],
  ['a further product', [beatriz([SAUDE, ODONTO], [health])], {}, [included]],
  ['a further product only', [beatriz([ODONTO], [health])], {}, [included]],
  ['a product that the person has', [beatriz([SAUDE], [health])], {}, []],
  ['a product of another role', [beatriz([SAUDE, ODONTO], [health], { otherProductIds: ['dental'] })], {}, []],
  ['nothing stated of somebody covered elsewhere', [beatriz([{}], [], { otherProductIds: ['dental'] })], {}, []],
  [
    'an unknown product',
    [newBeatriz({ productName: 'Ouro' }, ODONTO)],
    {},
    ['Beatriz held unknown-product [Ouro] product-name: null → Ouro', included],
  ],
  [
    'two unknown products',
    [newBeatriz({ productName: 'Prata' }, { productName: 'Ouro' })],
    {},
    [
      'Beatriz held unknown-product [Ouro] product-name: null → Ouro',
      'Beatriz held unknown-product [Prata] product-name: null → Prata',
    ],
  ],
  ['a product outside of the scope', [beatriz([{ productName: 'Academia' }], [health])], products, []],
  [
    'an unknown product of the list',
    [newBeatriz({})],
    { defaults: { startOption: null, productNames: ['Ouro'] } },
    ['Beatriz held unknown-product [Ouro] product-name: null → Ouro'],
  ],
  ['an open inclusion', [beatriz([ODONTO], [health], open('inclusion', 'dental'))], {}, [comes('open-movement')]],
  [
    'an open change to it',
    [beatriz([ODONTO], [health], open('alteration', 'essential', 'dental'))],
    {},
    [comes('open-movement')],
  ],
  ['an open movement of another', [beatriz([ODONTO], [health], open('inclusion', 'life'))], {}, [included]],
  ['a waiting inclusion', [beatriz([ODONTO], [health], waits('inclusion'))], {}, [comes('waits-for-approval')]],
  [
    'a waiting change to it',
    [beatriz([ODONTO], [health], waits('plan-change', 'dental'))],
    {},
    [comes('waits-for-approval')],
  ],
  ['a waiting inclusion in another', [beatriz([ODONTO], [health], waits('inclusion', 'life'))], {}, [included]],
  [
    'an end that the list cannot know',
    [beatriz([ODONTO], [health], { endedSince: [{ productId: 'dental', writtenOn: '2026-12-07' }] })],
    {},
    [comes('newer-than-list')],
  ],
  [
    'an end that the list knows',
    [beatriz([ODONTO], [health], { endedSince: [{ productId: 'dental', writtenOn: '2026-12-06' }] })],
    {},
    [included],
  ],
  [
    'somebody who keeps a plan after leaving',
    [beatriz([ODONTO], [benefit('essential', { extensionPlan: true })])],
    {},
    [comes('under-continuation')],
  ],
  ['a new person with a last day', [newBeatriz({ ...ODONTO, ...lastDay })], {}, []],
]

const absences: readonly Row[] = [
  ['absent, not stated', [beatriz([], [health])], { states: ['products', 'dependents'] }, []],
  ['absent', [beatriz([], [health])], people, [goes()]],
  [
    'absent with two products',
    [beatriz([], [health, dental])],
    people,
    ['Beatriz exclusion [Odonto Mais] product-name: Odonto Mais → null', goes()],
  ],
  [
    'absent from a part of the company',
    [beatriz([], [health])],
    { ...people, isPartOfCompany: true },
    [goes('may-have-moved ')],
  ],
  [
    'absent while a dependent is listed',
    [beatriz([], [health]), helena([{}], [benefitOfHelena('essential')])],
    { ...people, isPartOfCompany: true },
    [goes('dependents-listed ')],
  ],
  [
    'kept after leaving',
    [beatriz([], [benefit('essential', { extensionPlan: true })])],
    people,
    [stays('under-continuation')],
  ],
  ['ends ahead', [beatriz([], [benefit('essential', { endDate: '2026-12-31' })])], people, [stays('ends-already')]],
  ['begins ahead', [beatriz([], [benefit('essential', { startDate: '2027-01-01' })])], people, [stays('future-start')]],
  [
    'included after the list',
    [beatriz([], [benefit('essential', { includedOn: '2026-12-07' })])],
    people,
    [stays('newer-than-list')],
  ],
  [
    'included after the list, and begins ahead',
    [beatriz([], [benefit('essential', { includedOn: '2026-12-07', startDate: '2027-01-01', status: 'pending' })])],
    people,
    [stays('newer-than-list')],
  ],
  ['included on its day', [beatriz([], [benefit('essential', { includedOn: '2026-12-06' })])], people, [goes()]],
  ['an open exclusion', [beatriz([], [health], open('exclusion', 'essential'))], people, [stays('open-movement')]],
  [
    'an open change',
    [beatriz([], [health], open('alteration', 'essential', 'executive'))],
    people,
    [stays('open-movement')],
  ],
  [
    'an open inclusion',
    [beatriz([], [benefit('essential', { status: 'pending' })], open('inclusion', 'essential'))],
    people,
    [stays('open-movement')],
  ],
  [
    'an open change to it',
    [beatriz([], [health], open('alteration', 'executive', 'essential'))],
    people,
    [stays('open-movement')],
  ],
  ['an open correction', [beatriz([], [health], open('alteration', 'essential'))], people, [goes()]],
  ['an open exclusion of another', [beatriz([], [health], open('exclusion', 'dental'))], people, [goes()]],
  [
    'a waiting exclusion',
    [beatriz([], [health], waits('exclusion', 'essential'))],
    people,
    [stays('waits-for-approval')],
  ],
  ['a waiting end of all', [beatriz([], [health], waits('leaver'))], people, [stays('waits-for-approval')]],
  ['a waiting correction', [beatriz([], [health], waits('correction'))], people, [goes()]],
  ['a refused line', [beatriz([{ offenses: ['invalid-gender'] }], [health])], people, ['Beatriz refused']],
  ['with the primary', [beatriz([], [health]), helena([], [benefitOfHelena('essential')])], dependents, [goes()]],
  ['a dependent', [beatriz([{}], [health]), helena([], [benefitOfHelena('essential')])], dependents, [helenaGoes]],
  ['a dependent, not stated', [beatriz([{}], [health]), helena([], [benefitOfHelena('essential')])], people, []],
  [
    'without the primary, in a product that only the dependent has',
    [beatriz([], [health]), helena([], [benefitOfHelena('dental')])],
    dependents,
    [goes()],
  ],
  ['a dependent without the primary', [helena([], [benefitOfHelena('essential')])], dependents, []],
  [
    'a dependent of somebody who leaves',
    [beatriz([lastDay], [health]), helena([], [benefitOfHelena('essential')])],
    dependents,
    [`Beatriz leaver [Saúde Essencial] product-name: Saúde Essencial → null, ${leaves}`],
  ],
]

const ends: readonly Row[] = [
  [
    'a product less',
    [beatriz([SAUDE], [health, dental])],
    products,
    ['Beatriz exclusion [Odonto Mais] product-name: Odonto Mais → null'],
  ],
  ['a product less, not stated', [beatriz([SAUDE], [health, dental])], people, []],
  ['no product stated', [beatriz([{}], [health, dental])], products, []],
  ['a line without a product', [beatriz([SAUDE, {}], [health, dental])], products, []],
  [
    'an unknown product beside',
    [beatriz([SAUDE, { productName: 'Ouro' }], [health, dental])],
    products,
    ['Beatriz held unknown-product [Ouro] product-name: null → Ouro'],
  ],
  [
    'a product less that is kept after leaving',
    [beatriz([SAUDE], [health, benefit('dental', { extensionPlan: true })])],
    products,
    ['Beatriz held under-continuation [Odonto Mais] product-name: Odonto Mais → null'],
  ],
  ['one of two of a type', [beatriz([EXECUTIVA], [health, executive])], products, [goes()]],
  [
    'a product less of the family',
    [beatriz([SAUDE], [health, dental]), helena([SAUDE], [benefitOfHelena('essential'), benefitOfHelena('dental')])],
    products,
    ['Beatriz exclusion [Odonto Mais] product-name: Odonto Mais → null'],
  ],
  [
    'a product less of a dependent',
    [
      beatriz([SAUDE, ODONTO], [health, dental]),
      helena([SAUDE], [benefitOfHelena('essential'), benefitOfHelena('dental')]),
    ],
    products,
    ['Helena exclusion [Odonto Mais] product-name: Odonto Mais → null'],
  ],
  [
    'another of its type',
    [beatriz([EXECUTIVA], [health])],
    products,
    [`Beatriz plan-change [Saúde Executiva] ${changed}`],
  ],
  [
    'another of its type, not stated',
    [beatriz([EXECUTIVA], [health])],
    people,
    ['Beatriz inclusion [Saúde Executiva] product-name: null → Saúde Executiva'],
  ],
  [
    'another of a type of which the person has two',
    [beatriz([BASICA], [health, executive])],
    products,
    [
      goes(),
      'Beatriz exclusion [Saúde Executiva] product-name: Saúde Executiva → null',
      'Beatriz inclusion [Saúde Básica] product-name: null → Saúde Básica',
    ],
  ],
  [
    'two others of its type',
    [beatriz([BASICA, EXECUTIVA], [health])],
    products,
    [
      goes(),
      'Beatriz inclusion [Saúde Básica, Saúde Executiva] product-name: null → Saúde Básica, product-name: null → Saúde Executiva',
    ],
  ],
  [
    'another of its type, of a dependent only',
    [beatriz([SAUDE], [health]), helena([EXECUTIVA], [benefitOfHelena('essential')])],
    products,
    [helenaGoes, 'Helena inclusion [Saúde Executiva] product-name: null → Saúde Executiva'],
  ],
  [
    'another of its type that waits',
    [beatriz([EXECUTIVA], [health], waits('plan-change'))],
    products,
    [`Beatriz held waits-for-approval [Saúde Executiva] ${changed}`],
  ],
  [
    'another of its type that the list cannot know to have ended',
    [beatriz([EXECUTIVA], [health], { endedSince: [{ productId: 'executive', writtenOn: '2026-12-07' }] })],
    products,
    [`Beatriz held newer-than-list [Saúde Executiva] ${changed}`],
  ],
  [
    'another of its type, and the dependent too',
    [beatriz([EXECUTIVA], [health]), helena([EXECUTIVA], [benefitOfHelena('essential')])],
    products,
    [
      `Beatriz plan-change [Saúde Executiva] ${changed}`,
      'Helena held follows-primary product-name: Saúde Essencial → null, product-name: null → Saúde Executiva',
    ],
  ],
  [
    'another of its type, the dependent absent',
    [beatriz([EXECUTIVA], [health]), helena([], [benefitOfHelena('essential')])],
    { states: ['people', 'dependents', 'products'] },
    [
      `Beatriz plan-change [Saúde Executiva] ${changed}`,
      'Helena held follows-primary [Saúde Essencial] product-name: Saúde Essencial → null',
    ],
  ],
]

const leavers: readonly Row[] = [
  [
    'a last day',
    [beatriz([lastDay], [health])],
    {},
    [`Beatriz leaver [Saúde Essencial] product-name: Saúde Essencial → null, ${leaves}`],
  ],
  [
    'of one product',
    [beatriz([{ ...ODONTO, ...lastDay }, SAUDE], [health, dental])],
    products,
    [`Beatriz leaver [Odonto Mais] product-name: Odonto Mais → null, ${leaves}`],
  ],
  ['of a product that the person does not have', [beatriz([{ ...ODONTO, ...lastDay }], [health])], products, []],
  ['that is known', [beatriz([lastDay], [benefit('essential', { endDate: '2026-12-31' })])], {}, []],
  [
    'other than the known one',
    [beatriz([lastDay], [benefit('essential', { endDate: '2026-12-15' })])],
    {},
    [
      'Beatriz held ends-already [Saúde Essencial] product-name: Saúde Essencial → null, end-date: 2026-12-15 → 2026-12-31',
    ],
  ],
  [
    'after a dismissal with the plan kept',
    [beatriz([lastDay], [benefit('essential', { extensionPlan: true })])],
    {},
    [`Beatriz held under-continuation [Saúde Essencial] product-name: Saúde Essencial → null, ${leaves}`],
  ],
  [
    'that is requested',
    [beatriz([lastDay], [health], open('exclusion', 'essential'))],
    {},
    [`Beatriz held open-movement [Saúde Essencial] product-name: Saúde Essencial → null, ${leaves}`],
  ],
  [
    'of a dependent beside the primary',
    [beatriz([lastDay], [health]), helena([lastDay], [benefitOfHelena('essential')])],
    {},
    [
      `Beatriz leaver [Saúde Essencial] product-name: Saúde Essencial → null, ${leaves}`,
      `Helena leaver [Saúde Essencial] product-name: Saúde Essencial → null, ${leaves}`,
    ],
  ],
  ['without a cover', [beatriz([lastDay], [])], {}, []],
  [
    'with other data',
    [beatriz([{ ...lastDay, ...data({ phone: '11912345678' }) }], [health])],
    {},
    [`Beatriz leaver [Saúde Essencial] product-name: Saúde Essencial → null, ${leaves}`],
  ],
  [
    'of one of two products, with other data',
    [beatriz([{ ...ODONTO, ...lastDay, ...data({ phone: '11912345678' }) }], [health, dental])],
    {},
    [
      `Beatriz leaver [Odonto Mais] product-name: Odonto Mais → null, ${leaves}`,
      'Beatriz correction phone: 11987654321 → 11912345678',
    ],
  ],
]

const fields: readonly Row[] = [
  [
    'a name that a program cut',
    [
      beatriz([data({ name: 'Beatriz Campos de Albuquerque C' })], [health], {
        profile: { ...BEATRIZ.profile, name: 'Beatriz Campos de Albuquerque Cavalcanti' },
      }),
    ],
    {},
    [],
  ],
  ['the same in other letters', [beatriz([data({ name: 'BEATRIZ CAMPOS D AVILA' })], [health])], {}, []],
  [
    'another name',
    [beatriz([data({ name: 'Beatriz Campos Leal' })], [health])],
    {},
    ["Beatriz correction name: Beatriz Campos D'Ávila → Beatriz Campos Leal"],
  ],
  [
    'several fields, also those with two names',
    [
      beatriz(
        [data({ phone: '11912345678', 'email-private': 'outra@example.com', 'marital-status': 'married' })],
        [health],
      ),
    ],
    {},
    [
      'Beatriz correction email-private: bia@example.com → outra@example.com, marital-status: null → married, phone: 11987654321 → 11912345678',
    ],
  ],
  ['not disabled, and not known to be', [beatriz([data({ disabled: false })], [health])], {}, []],
  ['disabled', [beatriz([data({ disabled: true })], [health])], {}, ['Beatriz correction disabled: null → true']],
  ['of somebody without cover', [beatriz([{ ...ODONTO, ...data({ phone: '11912345678' }) }], [])], {}, [included]],
  [
    'data of the company',
    [beatriz([data({ 'cost-center': '4300', 'employee-id': 'V-1', salary: 500000, phone: '11987654321' })], [health])],
    {},
    ['Beatriz company-data cost-center: 4200 → 4300, employee-id: V-0317 → V-1, salary: 450000 → 500000'],
  ],
  [
    'a salary beside a life insurance',
    [beatriz([data({ salary: 500000 })], [health, benefit('life')])],
    {},
    ['Beatriz correction salary: 450000 → 500000'],
  ],
  [
    'data of the company that wait',
    [beatriz([data({ 'cost-center': '4300' })], [health], waits('company-data'))],
    {},
    ['Beatriz held waits-for-approval cost-center: 4200 → 4300'],
  ],
  [
    'data of an employment of a dependent',
    [
      beatriz([{}], [health]),
      helena(
        [
          data({
            'employee-id': 'V-0317',
            'cost-center': '4200',
            'admission-date': '2020-03-02',
            'job-title': 'Analista',
          }),
        ],
        [benefitOfHelena('essential')],
      ),
    ],
    {},
    [],
  ],
  [
    'the name of a dependent',
    [beatriz([{}], [health]), helena([data({ name: 'Helena Leal Prates' })], [benefitOfHelena('essential')])],
    {},
    ['Helena correction name: Helena Campos Prates → Helena Leal Prates'],
  ],
  [
    'the admission',
    [beatriz([data({ 'admission-date': '2021-01-04' })], [health])],
    {},
    ['Beatriz held not-alterable admission-date: 2020-03-02 → 2021-01-04'],
  ],
  [
    'an admission after leaving with the plan kept',
    [beatriz([data({ 'admission-date': '2026-12-01' })], [benefit('essential', { extensionPlan: true })])],
    {},
    ['Beatriz held under-continuation admission-date: 2020-03-02 → 2026-12-01'],
  ],
  [
    'the kinship',
    [beatriz([{}], [health]), helena([{ dependentType: 'stepchild' }], [benefitOfHelena('essential')])],
    {},
    ['Helena held not-alterable dependent-type: child → stepchild'],
  ],
  ['the card as it is written', [beatriz([{ ...SAUDE, carrier: { 'card-number': '00.42' } }], [health])], {}, []],
  [
    'the card and the start',
    [beatriz([{ carrier: { 'card-number': '43', 'start-date': '2024-02-01' } }], [health])],
    {},
    ['Beatriz held carrier-only-field card-number: 0042 → 43, start-date: 2024-01-01 → 2024-02-01'],
  ],
  ['the card of one of two products', [beatriz([{ carrier: { 'card-number': '43' } }], [health, dental])], {}, []],
  [
    'a correction that waits',
    [beatriz([data({ phone: '11912345678' })], [health], waits('correction'))],
    {},
    ['Beatriz held waits-for-approval phone: 11987654321 → 11912345678'],
  ],
  [
    'an open correction',
    [beatriz([data({ phone: '11912345678' })], [health], open('alteration', 'essential'))],
    {},
    ['Beatriz held open-movement phone: 11987654321 → 11912345678'],
  ],
  [
    'of a cover that is not decided yet',
    [
      beatriz(
        [data({ phone: '11912345678' })],
        [benefit('essential', { status: 'pending' })],
        open('inclusion', 'essential'),
      ),
    ],
    {},
    ['Beatriz held open-movement phone: 11987654321 → 11912345678'],
  ],
  [
    'of a cover that begins ahead',
    [beatriz([data({ phone: '11912345678' })], [benefit('essential', { status: 'pending', startDate: '2027-01-01' })])],
    {},
    ['Beatriz held future-start phone: 11987654321 → 11912345678'],
  ],
]

const otherTaxId = { taxId: '87421503617' }
const found = (one: RosterPerson, matchedBy: RosterPerson['matchedBy'] = 'employee-id') => ({ ...one, matchedBy })
const somebodyElse = data({ name: 'Wagner Lopes Tavares', 'date-of-birth': '1970-05-05' })

const identities: readonly Row[] = [
  [
    'a CPF of somebody else',
    [beatriz([{ ...SAUDE, ...somebodyElse }], [dental])],
    products,
    [
      "Beatriz held identity-conflict date-of-birth: 1984-02-11 → 1970-05-05, name: Beatriz Campos D'Ávila → Wagner Lopes Tavares",
    ],
  ],
  [
    'another birth date only',
    [beatriz([data({ 'date-of-birth': '1984-02-12' })], [health])],
    {},
    ['Beatriz correction date-of-birth: 1984-02-11 → 1984-02-12'],
  ],
  [
    'another CPF',
    [found(beatriz([{ ...otherTaxId, ...SAUDE, ...data({ phone: '11912345678' }) }], [health]))],
    products,
    [
      'Beatriz tax-id-correction tax-id: 41058293788 → 87421503617',
      'Beatriz correction phone: 11987654321 → 11912345678',
    ],
  ],
  [
    'another CPF that waits',
    [found(beatriz([{ ...otherTaxId }], [health], waits('tax-id-correction')), 'name')],
    {},
    ['Beatriz held waits-for-approval tax-id: 41058293788 → 87421503617'],
  ],
  [
    'another CPF of somebody without cover',
    [found(beatriz([{ ...otherTaxId, ...ODONTO }], []))],
    {},
    ['Beatriz held identity-conflict tax-id: 41058293788 → 87421503617'],
  ],
  [
    'outside of the scope',
    [{ ...beatriz([ODONTO], [health]), isOutside: true }],
    products,
    ['Beatriz held outside-scope'],
  ],
  [
    'lines that contradict',
    [
      beatriz(
        [
          { ...SAUDE, ...data({ phone: '1' }) },
          { ...ODONTO, ...data({ phone: '2' }) },
        ],
        [health],
      ),
    ],
    products,
    ['Beatriz refused'],
  ],
  [
    'lines with the same in other letters',
    [beatriz([data({ name: "Beatriz Campos D'Avila" }), data({ name: 'BEATRIZ CAMPOS DAVILA' })], [health])],
    {},
    [],
  ],
  [
    'lines of which one has the name cut',
    [
      beatriz(
        [data({ name: 'Beatriz Campos de Albuquerque C' }), data({ name: 'Beatriz Campos de Albuquerque Cavalcanti' })],
        [health],
      ),
    ],
    {},
    ["Beatriz correction name: Beatriz Campos D'Ávila → Beatriz Campos de Albuquerque Cavalcanti"],
  ],
  ['lines of which one has no last day', [beatriz([lastDay, SAUDE], [health])], {}, ['Beatriz refused']],
  [
    'lines with two last days',
    [
      beatriz(
        [
          { ...SAUDE, ...lastDay },
          { ...ODONTO, exclusion: { 'end-date': '2026-11-30' } },
        ],
        [health, dental],
      ),
    ],
    {},
    ['Beatriz refused'],
  ],
  [
    'lines with two starts of a product',
    [newBeatriz({ ...ODONTO, startOption: 'on-admission-date' }, { ...ODONTO, startOption: 'on-inclusion-date' })],
    {},
    ['Beatriz refused'],
  ],
  [
    'another primary',
    [helena([{ primaryTaxId: '63902841525', ...ODONTO }], [benefitOfHelena('essential')])],
    products,
    ['Helena held other-primary primary-member-tax-id: 41058293788 → 63902841525'],
  ],
  [
    'a primary whom the list knows by another CPF',
    [
      found(beatriz([otherTaxId], [health])),
      helena([{ primaryTaxId: otherTaxId.taxId }], [benefitOfHelena('essential')]),
    ],
    {},
    ['Beatriz tax-id-correction tax-id: 41058293788 → 87421503617'],
  ],
]

for (const [group, rows] of Object.entries({ inclusions, absences, ends, leavers, fields, identities })) {
  test.each(rows)(`${group}: %s`, (_, people, values, items) => {
    expect(derive(people, values).map(short)).toEqual(items)
  })
}

const entries: readonly (readonly [string, readonly RosterPerson[], Partial<RosterTerms>, Partial<RosterItem>])[] = [
  [
    'an inclusion of a new dependent',
    [
      beatriz([{}], [health]),
      person(
        'dependent',
        [
          ofHelena({
            ...SAUDE,
            primaryTaxId: BEATRIZ.taxId,
            dependentType: 'child',
            reference: 'r-1',
            profile: { name: 'Helena' },
          }),
        ],
        null,
      ),
    ],
    { defaults: { startOption: 'on-inclusion-date', productNames: [] } },
    {
      class: 'inclusion',
      movement: 'inclusion',
      memberId: null,
      name: 'Helena',
      memberType: 'dependent',
      lines: [3],
      entry: {
        'beneficiary-type': 'dependent',
        'tax-id': HELENA.taxId,
        name: 'Helena',
        'primary-member-tax-id': BEATRIZ.taxId,
        'dependent-type': 'child',
        products: { 'health-insurance': [{ name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }] },
        reference: 'r-1',
      },
    },
  ],
  [
    'an inclusion of somebody who was here',
    [
      beatriz(
        [{ ...ODONTO, startOption: 'on-admission-date', ...data({ 'admission-date': '2026-12-01' }) }, SAUDE],
        [],
      ),
    ],
    { defaults: { startOption: 'on-inclusion-date', productNames: [] } },
    {
      lines: [2, 3],
      entry: {
        'beneficiary-type': 'primary',
        ...BEATRIZ.profile,
        'admission-date': '2026-12-01',
        products: {
          'dental-insurance': [{ name: 'Odonto Mais', 'start-option': 'on-admission-date' }],
          'health-insurance': [{ name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }],
        },
      },
    },
  ],
  [
    'an inclusion without a start',
    [newBeatriz(ODONTO)],
    {},
    {
      entry: {
        'beneficiary-type': 'primary',
        'tax-id': BEATRIZ.taxId,
        products: { 'dental-insurance': [{ name: 'Odonto Mais' }] },
      },
    },
  ],
  [
    'an exclusion with a dependent',
    [beatriz([], [health]), helena([], [benefitOfHelena('essential')])],
    dependents,
    {
      movement: 'exclusion',
      productId: 'essential',
      memberId: BEATRIZ.id,
      name: BEATRIZ.profile.name,
      employeeId: 'V-0317',
      alsoEnds: 1,
      byNumberOnly: false,
      needs: ['exclusion-reason', 'end-date'],
      lines: [],
      entry: { 'tax-id': BEATRIZ.taxId, 'product-id': 'essential', 'exclusion-details': {} },
    },
  ],
  [
    'an exclusion by number only',
    [beatriz([], [health])],
    { ...people, isPartOfCompany: true },
    { byNumberOnly: true, alsoEnds: 0 },
  ],
  [
    'an exclusion of a product that the person has in two roles',
    [beatriz([], [health], { otherProductIds: ['essential'] })],
    people,
    { entry: { 'tax-id': BEATRIZ.taxId, 'benefit-id': 'benefit-essential', 'exclusion-details': {} } },
  ],
  [
    'an exclusion of a dependent',
    [beatriz([{}], [health]), helena([], [benefitOfHelena('essential')])],
    dependents,
    { alsoEnds: 0, entry: { 'tax-id': HELENA.taxId, 'benefit-id': 'child-essential', 'exclusion-details': {} } },
  ],
  [
    'a last day with its reason',
    [beatriz([{ ...dismissed, reference: 'r-2' }], [health])],
    {},
    {
      class: 'leaver',
      movement: 'exclusion',
      productId: 'essential',
      needs: [],
      lines: [2],
      entry: {
        'tax-id': BEATRIZ.taxId,
        'product-id': 'essential',
        'exclusion-details': dismissed.exclusion,
        reference: 'r-2',
      },
    },
  ],
  ['a last day without a reason', [beatriz([lastDay], [health])], {}, { needs: ['exclusion-reason'] }],
  [
    'a change of plan',
    [beatriz([EXECUTIVA], [health])],
    products,
    {
      movement: 'alteration',
      productId: null,
      entry: { 'tax-id': BEATRIZ.taxId, 'alteration-data': { 'new-product-id': 'executive' } },
    },
  ],
  [
    'a correction',
    [beatriz([data({ 'email-private': 'outra@example.com', phone: '11912345678' })], [health])],
    {},
    {
      movement: 'alteration',
      entry: { 'tax-id': BEATRIZ.taxId, 'alteration-data': { email: 'outra@example.com', phone: '11912345678' } },
    },
  ],
  [
    'a CPF',
    [found(beatriz([otherTaxId], [health]))],
    {},
    {
      movement: 'alteration',
      byNumberOnly: true,
      entry: { 'tax-id': BEATRIZ.taxId, 'alteration-data': { 'tax-id': otherTaxId.taxId } },
    },
  ],
  [
    'data of the company',
    [beatriz([data({ 'cost-center': '4300' })], [health])],
    {},
    { movement: null, entry: { 'cost-center': '4300' } },
  ],
  [
    'an open movement',
    [beatriz([], [health], open('exclusion', 'essential'))],
    people,
    { class: 'held', movement: null, entry: null, needs: [], productId: 'essential', enrollmentIds: ['open'] },
  ],
  [
    'a line that cannot be used',
    [
      person(
        'primary',
        [ofBeatriz({ offenses: ['invalid-gender'] }), ofBeatriz({ offenses: ['invalid-gender', 'invalid-phone'] })],
        null,
      ),
    ],
    {},
    { class: 'refused', lines: [2], offenses: ['invalid-gender', 'invalid-phone'], entry: null, taxId: BEATRIZ.taxId },
  ],
  [
    'lines that contradict',
    [newBeatriz({ ...ODONTO, ...data({ phone: '1' }) }, { ...ODONTO, ...data({ phone: '2' }) })],
    {},
    { class: 'refused', lines: [2, 3], offenses: ['conflicting-lines'] },
  ],
]

test.each(entries)('an item of %s', (_, people, values, { entry, ...others }) => {
  const items = derive(people, values)
  expect(items).toMatchObject([others])
  // Exactly: what is not asked for is not sent.
  if (entry !== undefined) expect(items[0]?.entry).toEqual(entry)
})

test('a primary who leaves takes along those who have no last day of their own', () => {
  const brother = person(
    'dependent',
    [],
    member({ ...HELENA, id: 'other', taxId: '00000000191' }, [benefitOfHelena('essential', { id: 'b' })]),
  )
  const [first] = derive([beatriz([lastDay], [health]), helena([lastDay], [benefitOfHelena('essential')]), brother])
  expect(first).toMatchObject({ class: 'leaver', memberType: 'primary', alsoEnds: 1 })
})

test('the tally counts who is covered, listed, known and contradicts', () => {
  const child = helena([], [benefitOfHelena('essential')])
  const wrong = { ...child, member: { ...child.member, id: 'w', taxId: '00000000191' } as RosterMember }
  const { tally } = deriveFamily(
    family(
      beatriz([SAUDE], [health, dental]),
      child,
      { ...wrong, lines: [ofHelena({ taxId: '00000000191', ...data({ 'date-of-birth': '2001-01-01' }) })] },
      { ...person('dependent', [ofHelena({ taxId: '00000000272', ...SAUDE }, 9)], null) },
      { ...helena([{}], [benefitOfHelena('essential')]), isOutside: true },
    ),
    terms(),
  )
  expect(tally).toEqual({
    unchanged: 1,
    coveredPrimaries: 1,
    listedPrimaries: 1,
    coveredDependents: 2,
    listedDependents: 1,
    known: 2,
    conflicts: 1,
    covered: { essential: 3, dental: 1 },
  })
})

test.each([
  ['the same in other letters', "D'AVILA, BEATRIZ", 0],
  ['a name after a wedding', 'Beatriz Prates', 0],
  ['only a particle in common', 'João da Silva', 1],
  ['another person', 'Wagner Lopes Tavares', 1],
])('a name that contradicts: %s', (_, name, conflicts) => {
  const stored = member({ ...BEATRIZ, profile: { ...BEATRIZ.profile, name: "Beatriz da Cruz D'Ávila" } }, [health])
  const { tally } = deriveFamily(family(person('primary', [ofBeatriz(data({ name }))], stored)), terms())
  expect(tally.conflicts).toBe(conflicts)
})

const otherBirth = data({ 'date-of-birth': '2001-01-01' })
test.each([
  ['by CPF', beatriz([otherBirth], [health]), 1],
  ['not by CPF', found(beatriz([otherBirth], [health]), 'name'), 0],
  ['in a line that cannot be used', beatriz([{ ...otherBirth, offenses: ['invalid-gender'] }], [health]), 0],
])('a birth date that contradicts: %s', (_, one, conflicts) => {
  const { tally } = deriveFamily(family(one), terms())
  expect(tally).toMatchObject({ known: 1, conflicts })
})
