import { beforeAll, expect, test } from 'vitest'
import { csv, discrepanciesOf, linesOf, reconcile, upload } from '../../world/carrier-file.ts'
import { planCode, pricedContract, putBands } from '../../world/price.ts'
import { insertBenefit, insertMember } from '../../world/roster.ts'
import { type Company, expectOk, health, type Json, nextCpf, premium, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

interface Person {
  readonly memberId: string
  readonly benefitId: string
  readonly cpf: string
  readonly name: string
  readonly born: string
  readonly card: string
}

let company: Company
let contractId: string
let people: Record<'mother' | 'child' | 'twin' | 'stranger' | 'avila' | 'long', Person>

async function person(name: string, born: string, more: Record<string, string>): Promise<Person> {
  const cpf = nextCpf()
  const memberId = await insertMember(testApp, company, { cpf, name })
  await testApp.sql('update member set date_of_birth = $3 where company_id = $1 and id = $2', [
    company.id,
    memberId,
    born,
  ])
  const benefitId = await insertBenefit(testApp, company, memberId, { start_date: '2020-01-01', ...more })
  return { memberId, benefitId, cpf, name, born, card: more['card_number'] ?? '' }
}

const longName = 'Maria Aparecida dos Santos Oliveira Cavalcanti'

beforeAll(async () => {
  company = await testApp.company()
  contractId = (await pricedContract(testApp, company))['contract-id']
  await putBands(testApp, contractId)
  const mother = await person('Helena Brandão Souza', '1988-03-03', { card_number: '0009001' })
  const dependent = { type: 'dependent', dependent_type: 'child', primary_member_id: mother.memberId }
  people = {
    mother,
    child: await person('Bento Brandão Souza', '2015-05-05', { ...dependent, card_number: '0009002' }),
    twin: await person('Clara Brandão Souza', '2015-05-05', { ...dependent, card_number: '0009003' }),
    stranger: await person('Otávio Lima', '1970-07-07', { card_number: '0009004' }),
    avila: await person('Ana D’Ávila Łukasz', '1975-01-02', { card_number: '0009005' }),
    long: await person(longName, '1976-01-02', { card_number: '0009006' }),
  }
})

let amounts = 0

/** How a line of an invoice is matched: by what, and with whom. */
async function matched(line: Json, kind: 'invoice' | 'roster' = 'invoice'): Promise<string> {
  // The same bytes are the same file.
  amounts += 1
  const row = kind === 'invoice' ? { ...line, amount: `${amounts},00` } : { ...line, 'mothers-name': `Mãe ${amounts}` }
  const file = await upload(testApp, { contractId, kind }, csv([row]))
  const [found] = await linesOf(testApp, file['file-id'])
  if (found?.['is-ambiguous'] === true) return 'ambiguous'
  const name = Object.entries(people).find(([, { benefitId }]) => benefitId === found?.['benefit-id'])?.[0]
  return name === undefined ? 'nobody' : `${found?.['matched-by']} ${name}`
}

const cpf = (name: keyof typeof people) => ({ 'tax-id': people[name].cpf })
const card = (name: keyof typeof people) => ({ 'card-number': people[name].card })
const named = (name: keyof typeof people) => ({ name: people[name].name.toUpperCase() })
const born = (name: keyof typeof people) => ({ 'date-of-birth': people[name].born })
const self = (name: keyof typeof people) => ({ ...named(name), ...born(name) })

test.each<[string, () => Json, string]>([
  [
    'the CPF of the primary, name and birth date of a child',
    () => ({ ...cpf('mother'), ...self('child') }),
    'family child',
  ],
  ['the same of a twin', () => ({ ...cpf('mother'), ...self('twin'), relationship: 'child' }), 'family twin'],
  ['the CPF of the primary and the name of a child', () => ({ ...cpf('mother'), ...named('child') }), 'family child'],
  [
    'the CPF of the primary and the birth date of two children',
    () => ({ ...cpf('mother'), ...born('child') }),
    'ambiguous',
  ],
  [
    'the CPF of a child, name and birth date of the primary',
    () => ({ ...cpf('child'), ...self('mother') }),
    'family mother',
  ],
  [
    'the card of the primary, name and birth date of a child',
    () => ({ ...card('mother'), ...self('child') }),
    'family child',
  ],
  [
    'the card of a child and the CPF of the primary',
    () => ({ ...card('child'), ...cpf('mother') }),
    'card-number child',
  ],
  [
    'the CPF of the primary for a child without a name',
    () => ({ ...cpf('mother'), relationship: 'child' }),
    'ambiguous',
  ],
  ['the CPF of one and name and birth date of another', () => ({ ...cpf('mother'), ...self('stranger') }), 'ambiguous'],
  ['the card of one and the CPF of another', () => ({ ...card('mother'), ...cpf('stranger') }), 'ambiguous'],
  ['the card of one, name and birth date of another', () => ({ ...card('mother'), ...self('stranger') }), 'ambiguous'],
  [
    'a CPF whose name and birth date are of nobody',
    () => ({ ...cpf('stranger'), name: 'Ninguém Daqui', 'date-of-birth': '1999-09-09' }),
    'ambiguous',
  ],
  [
    'a CPF with another name',
    () => ({ ...cpf('stranger'), name: 'Otávio Casado', ...born('stranger') }),
    'tax-id stranger',
  ],
  [
    'a CPF with another birth date',
    () => ({ ...cpf('stranger'), ...named('stranger'), 'date-of-birth': '1970-07-08' }),
    'tax-id stranger',
  ],
  ['a CPF alone', () => cpf('stranger'), 'tax-id stranger'],
  ['a card without its zeros', () => ({ 'card-number': '9004' }), 'card-number stranger'],
  ['name and birth date', () => self('child'), 'name child'],
  ['a name with other apostrophes', () => ({ name: "ANA D'AVILA LUKASZ", ...born('avila') }), 'name avila'],
  ['a name whose particle is spelt apart', () => ({ name: 'ANA D AVILA LUKASZ', ...born('avila') }), 'name avila'],
  ['a name that is spelt together', () => ({ name: 'ANA DAVILA LUKASZ', ...born('avila') }), 'name avila'],
  ['a name that is cut after 30 characters', () => ({ name: longName.slice(0, 30), ...born('long') }), 'name long'],
  ['a name that is cut earlier', () => ({ name: longName.slice(0, 25), ...born('long') }), 'nobody'],
])('%s', async (_, line, expected) => {
  expect(await matched(line())).toBe(expected)
  expect(await matched(line(), 'roster')).toBe(expected)
})

test('an invoice with the primary’s CPF on the line of a child charges both as expected, a roster has nobody twice', async () => {
  const lines = [
    { ...cpf('mother'), ...self('mother'), amount: '741,63' },
    { ...cpf('mother'), ...self('child'), amount: '412,35' },
  ]
  const file = await upload(testApp, { contractId, kind: 'invoice' }, csv(lines))
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  const found = await discrepanciesOf(testApp, id)
  const ofBoth = found.filter((one) => [people.mother.benefitId, people.child.benefitId].includes(one['benefit-id']))
  expect(ofBoth).toEqual([])
  const roster = await upload(testApp, { contractId }, csv(lines.map((line) => ({ ...line, amount: '' }))))
  const compared = await reconcile(testApp, roster['file-id'])
  expect(compared['counts'].map((one: Json) => one.class)).toEqual(['missing-at-carrier'])
})

test('a roster with folded and cut names has no name that differs', async () => {
  const lines = Object.values(people).map(({ cpf: taxId, born: birth, name }) => ({
    'tax-id': taxId,
    'date-of-birth': birth,
    name: name.replace('’', ' ').replace('Ł', 'L').slice(0, 30),
  }))
  const file = await upload(
    testApp,
    { contractId },
    csv([...lines.slice(1), { ...lines[0], name: 'Helena Brandão Silva' }]),
  )
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  const found = await discrepanciesOf(testApp, id)
  expect(found.filter((one) => one.class === 'name-differs').map((one) => one['member-name'])).toEqual([
    people.mother.name,
  ])
})

test('two products under one certificate are linked by hand once, each with the code that the carrier has for it', async () => {
  const other = await testApp.company()
  const plans = [
    { 'product-id': other.products[health], 'carrier-plan-code': planCode },
    { 'product-id': other.products[premium] },
  ]
  const contract = await pricedContract(testApp, other, { plans })
  const memberId = await insertMember(testApp, other, { cpf: nextCpf(), name: 'Rui Prado' })
  const ids = [
    await insertBenefit(testApp, other, memberId, { start_date: '2020-01-01' }),
    await insertBenefit(testApp, other, memberId, { start_date: '2020-01-01', product: premium }),
  ]
  const file = (amount: string, month: string) =>
    upload(
      testApp,
      { contractId: contract['contract-id'], kind: 'invoice', month },
      csv(
        ['JQ10', 'JD20'].map((code) => ({
          certificate: '77',
          'dependent-code': '00',
          'carrier-plan-code': code,
          amount,
        })),
      ),
    )
  const first = await file('10,00', '2026-10')
  for (const [index, line] of (await linesOf(testApp, first['file-id'])).entries()) {
    const path = `/operator/v1/carrier-file/${first['file-id']}/line/${line['line-number']}`
    expectOk(await testApp.operator.post(`${path}/link`, { 'benefit-id': ids[index] }))
  }
  const next = await file('11,00', '2026-11')
  expect((await linesOf(testApp, next['file-id'])).map((line) => [line['benefit-id'], line['matched-by']])).toEqual([
    [ids[0], 'certificate'],
    [ids[1], 'certificate'],
  ])
})
