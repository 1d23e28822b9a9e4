import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import {
  dependent,
  expectOk,
  health,
  type Json,
  monday,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

/* What the simulator says of a person who does not exist is what becomes of one who does, whatever the rules. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const url = '/operator/v1/requirement-rule'
const types = ['marriage-certificate', 'proof-of-residency', 'work-card'] as const
const some = <T>(values: readonly T[]) => fc.subarray([...values], { maxLength: 2 })
const age = fc.option(fc.integer({ min: 18, max: 60 }))

const rules = fc.array(
  fc.record({
    when: fc.record({
      movements: fc.constantFrom([], ['inclusion'], ['exclusion']),
      'dependent-types': some(['spouse', 'child', 'partner']),
      'work-contract-types': some(['brazil-labor-law', 'intern']),
      'age-from': age,
      'days-since-admission-over': fc.option(fc.integer({ min: 0, max: 60 })),
      late: fc.option(fc.boolean()),
    }),
    types: fc.subarray([...types], { minLength: 1 }),
    enforcement: fc.constantFrom('warning', 'pending', 'pending', 'offense'),
  }),
  { minLength: 1, maxLength: 6 },
)
const person = fc.record({
  dependentType: fc.constantFrom(null, 'spouse', 'child', 'partner'),
  workContractType: fc.constantFrom('brazil-labor-law', 'intern'),
  age: fc.integer({ min: 18, max: 60 }),
  daysSinceAdmission: fc.integer({ min: 0, max: 60 }),
  documentTypes: fc.subarray([...types]),
})

async function simulate(one: typeof person extends fc.Arbitrary<infer T> ? T : never): Promise<Json> {
  const body = {
    'company-tax-id': company.taxId,
    'product-id': company.products[health],
    movement: 'inclusion',
    'beneficiary-type': one.dependentType === null ? 'primary' : 'dependent',
    'dependent-type': one.dependentType,
    'work-contract-type': one.dependentType === null ? one.workContractType : null,
    age: one.age,
    'days-since-admission': one.daysSinceAdmission,
    late: one.daysSinceAdmission > 30,
    'document-types': one.documentTypes,
  }
  return expectOk(await testApp.operator.post(`${url}/simulate`, body)).body.result
}

/** The members of the batch, the one in question last. */
async function membersOf(one: typeof person extends fc.Arbitrary<infer T> ? T : never): Promise<Json[]> {
  const documents: Json[] = []
  for (const type of one.documentTypes) documents.push({ 'document-id': await upload(partner), 'document-type': type })
  const own = { 'date-of-birth': addDays(`${2026 - one.age}-11-23`, 0), documents }
  const admitted = { 'admission-date': addDays(monday, -one.daysSinceAdmission) }
  if (one.dependentType === null) {
    return [primary({ ...admitted, ...own, 'work-contract-type': one.workContractType })]
  }
  const mother = primary(admitted)
  return [mother, dependent(mother['tax-id'], { ...own, 'dependent-type': one.dependentType })]
}

const sorted = (missing: Json[] = []) =>
  missing.map((one) => [one['any-of'].toSorted().join(), one.enforcement, one.message].join(' ')).toSorted()

test('an inclusion does what the simulator says', async () => {
  const property = fc.asyncProperty(rules, person, async (list, one) => {
    const ids = list.map(() => randomUUID())
    try {
      for (const [index, { when, types: anyOf, enforcement }] of list.entries()) {
        const require = [{ 'any-of': anyOf, message: `Documento ${index}` }]
        // A rule that can never hold is refused: then there is one less.
        await testApp.operator.put(`${url}/${ids[index]}`, { name: `Regra ${index}`, when, require, enforcement })
      }
      const simulated = await simulate(one)
      const members = await membersOf(one)
      const index = members.length - 1
      const send = (query: string) =>
        partner.post(`/v1/enrollment/inclusion${query}`, { 'company-tax-id': company.taxId, members })
      const dry = await send('?dry-run=true')
      const sent = await send('')
      for (const { body } of [dry, sent]) {
        const own = (body['missing-documents'] ?? []).filter((missing: Json) => missing.index === index)
        expect(sorted(own)).toEqual(sorted(simulated['missing-documents']))
      }
      expect([dry.status, sent.status]).toEqual([sent.status, sent.status])
      const refused = (sent.body.result ?? []).map((one: Json) => [one.index, one.offenses])
      expect(refused).toEqual(simulated.enforcement === 'offense' ? [[index, ['missing-documents']]] : refused)
      if (sent.status !== 200) return
      const request = await testApp.finished(partner, sent.body['request-id'])
      const [part] = Object.values<Json>(request['status-by-tax-id'][members[index]?.['tax-id']])
      expect(part['enrollment-status']).toBe(simulated.enforcement === 'pending' ? 'pending-documents' : 'created')
    } finally {
      for (const id of ids) await testApp.operator.delete(`${url}/${id}`)
    }
  })
  await fc.assert(property, { seed: 20_261_125, numRuns: scaled(25, 150) })
  expect(await readViolations(testApp.sql)).toEqual({})
})
