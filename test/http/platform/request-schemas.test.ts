/*
 * What openapi.json documents for the bodies of movements is what the service enforces: each field is sent with each of the values
 * below, and is refused exactly when its schema refuses the value. Rules that JSON Schema cannot express are listed as exceptions.
 */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { phone } from '#kernel/field-types.ts'
import { parseCns, parsePis } from '#kernel/registration-numbers.ts'
import { parseCnpj, parseCpf } from '#kernel/tax-id.ts'
import { nextCpf } from '../../data/people.ts'
import { type ApiResponse, type Json, primary, useTestApp, useCompany } from '../../world/test-app.ts'

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
  readonly additionalProperties: boolean
}

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, ObjectSchema> }
}
const ajv = new Ajv2020({ strict: false, validateFormats: true })
formats.default(ajv)
ajv.addFormat('cpf', (value) => parseCpf(value) !== null)
ajv.addFormat('cnpj', (value) => parseCnpj(value) !== null)
ajv.addFormat('cns', (value) => parseCns(value) !== null)
ajv.addFormat('pis', (value) => parsePis(value) !== null)
ajv.addFormat('phone', (value) => typeof phone.parse(value) === 'string')

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const uuid = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const file = { 'document-id': uuid, 'document-type': 'other' }
const product = { name: 'Saúde Essencial Enfermaria', 'start-option': 'on-inclusion-date' }

/** One of each kind of value that some field takes, and of each kind that none does. */
const values: readonly unknown[] = [
  undefined,
  null,
  '',
  ' \t',
  'x',
  'x'.repeat(200),
  'x'.repeat(201),
  'x'.repeat(500),
  'x'.repeat(501),
  '😀'.repeat(200),
  'Ana\u202eanA',
  '529.982.247-25',
  '52998224726',
  '12.ABC.345/01DE-35',
  '12ABC34501DE36',
  '1990-05-17',
  '1899-12-31',
  '2026-02-30',
  '01310-100',
  '1310100',
  'SP',
  'a@mail.example',
  'a@mail',
  `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`,
  '(11) 98765-4321',
  '705 0087 3402 6156',
  '120.54789.36-6',
  '30-72841935-4',
  '3550308',
  '2124-05',
  '925618483',
  uuid,
  'not-in-any-set',
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  true,
  false,
  [],
  [7],
  {},
  [{ ...file, note: 'x' }],
  [{ ...file, 'document-id': '' }],
  [{ ...file, 'document-id': 'x'.repeat(201) }],
  [{ ...file, 'document-type': 'selfie' }],
  [{ 'document-id': uuid }],
  { 'health-insurance': [product] },
  { 'health-insurance': [{ ...product, name: ' ' }] },
  { 'health-insurance': [{ ...product, 'start-option': 'tomorrow' }] },
  { 'health-insurance': [{}] },
  { 'health-insurance': [] },
  { 'health-insurance': 7 },
]

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

interface Sample {
  readonly field: string
  readonly value: unknown
  readonly isDocumented: boolean
}

/** The schema with the references to closed sets resolved. */
function resolved<T>(part: T): T {
  if (Array.isArray(part)) return part.map(resolved) as T
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...others } = part as { $ref?: string }
  const named = document.components.schemas[$ref?.split('/').at(-1) ?? '']
  const entries = Object.entries({ ...named, ...others }).map(([key, value]) => [key, resolved<unknown>(value)])
  return Object.fromEntries(entries) as T
}

/** Every field of a schema with every value, and with the values of its own set. */
function samplesOf(name: string): Sample[] {
  const schema = document.components.schemas[name] as ObjectSchema
  return Object.entries(schema.properties).flatMap(([field, written]) => {
    const property = resolved(written)
    const validate = ajv.compile(property)
    const all = [...values, ...((property['enum'] as unknown[] | undefined) ?? [])]
    return all.map((value) => ({
      field,
      value,
      isDocumented: value === undefined ? schema.required?.includes(field) !== true : validate(value),
    }))
  })
}

/** Dates before 1900 and after today are refused: the descriptions say so. */
function isRefusedDate({ value }: Sample): boolean {
  return value === '1899-12-31'
}

/** Blank text in a field that may be null counts as null. */
function countsAsNull(name: string, { field, value }: Sample): boolean {
  const type = document.components.schemas[name]?.properties[field]?.['type']
  return isBlank(value) && Array.isArray(type) && field !== 'extension-plan'
}

function differences(samples: readonly Sample[], isAccepted: (sample: Sample, index: number) => boolean): unknown[] {
  return samples.flatMap((sample, index) => {
    const accepted = isAccepted(sample, index)
    return accepted === sample.isDocumented ? [] : [{ ...sample, accepted }]
  })
}

describe('a member of an inclusion', () => {
  const dependentFields = ['primary-member-tax-id', 'dependent-type']
  const samples = samplesOf('InclusionMember')
    // An id that names no document is an offense of the same name: test/http/movements/include-documents.test.ts.
    .filter(({ field, value }) => !(field === 'documents' && JSON.stringify(value)?.includes('note')))
    .filter((sample) => !isRefusedDate(sample) && !countsAsNull('InclusionMember', sample))
    // A reference that contains a CPF: its description says so.
    .filter(({ field, value }) => !(field === 'reference' && parseCpf(value) !== null))
    // Required of dependents alone.
    .filter(({ field, value }) => !(dependentFields.includes(field) && (value === undefined || value === null)))

  test('has offenses of a field exactly where its schema refuses the value', async () => {
    const taxId = nextCpf()
    const members = samples.map(({ field, value }) => {
      const role = { 'beneficiary-type': 'dependent', 'primary-member-tax-id': taxId, 'dependent-type': 'child' }
      const member = primary(dependentFields.includes(field) ? role : {})
      return { ...member, [field]: value }
    })
    const body = { 'company-tax-id': company.taxId, members: [...members, primary({ 'tax-id': taxId })] }
    const response = await partner.post('/v1/enrollment/inclusion?dry-run=true', body, { prefer: 'handling=lenient' })
    const offenses = new Map<number, string[]>(response.body.result.map((one: Json) => [one.index, one.offenses]))
    const ofProducts = ['missing-product-name', 'missing-start-option', 'invalid-start-option']
    expect(
      differences(samples, ({ field }, index) => {
        const own = [`missing-${field}`, `invalid-${field}`, ...(field === 'products' ? ofProducts : [])]
        return offenses.get(index)?.some((offense) => own.includes(offense)) !== true
      }),
    ).toEqual([])
  })

  test('may leave out optional fields, or send null or blank text', async () => {
    const { properties, required = [] } = document.components.schemas['InclusionMember'] as ObjectSchema
    const optional = Object.keys(properties).filter((field) => !required.includes(field))
    const members = optional.flatMap((field) => [null, '', ' '].map((value) => primary({ [field]: value })))
    const body = { 'company-tax-id': company.taxId, members }
    const response = await partner.post('/v1/enrollment/inclusion?dry-run=true', body)
    expect(response.status).toBe(200)
  })
})

/**
 * Sends fields of one value together to a movement of an unknown person, and reads from `details` which of them are refused. 404, or 403
 * of an unknown company, means that the whole body was accepted.
 */
async function differencesOf(
  samples: readonly Sample[],
  call: (sent: Readonly<Record<string, unknown>>) => Promise<ApiResponse>,
): Promise<unknown[]> {
  const maxDetails = 20
  const found: unknown[] = []
  for (const sameValue of Map.groupBy(samples, ({ value }) => value).values()) {
    for (let start = 0; start < sameValue.length; start += maxDetails) {
      const sent = sameValue.slice(start, start + maxDetails)
      const { status, body } = await call(Object.fromEntries(sent.map(({ field, value }) => [field, value])))
      if (status === 400) expect(body.error).toMatch(/^Invalid (exclusion-details|alteration-data)$/)
      else expect([403, 404]).toContain(status)
      const refused = (body.details ?? []).map((detail: Json) => detail.field.split('.')[1])
      found.push(...differences(sent, ({ field }) => !refused.includes(field)))
    }
  }
  return found
}

test('exclusion-details are refused exactly where their schema refuses the value', async () => {
  const samples = samplesOf('ExclusionDetails')
    .filter((sample) => !isRefusedDate(sample) && !countsAsNull('ExclusionDetails', sample))
    .filter(({ value }) => value !== 'other')
  const path = `/v1/enrollment/exclusion/${nextCpf()}/benefit/${uuid}`
  const isRequestedAt = ({ field }: Sample) => field === 'requested-at'
  for (const [some, reason] of [
    [samples.filter((sample) => !isRequestedAt(sample)), { 'exclusion-reason': 'retirement', option: 'accepted' }],
    [samples.filter(isRequestedAt), { 'exclusion-reason': 'requested-by-beneficiary' }],
  ] as const) {
    const differing = await differencesOf(some, (sent) =>
      partner.post(path, { 'exclusion-details': { 'end-date': '2026-11-30', ...reason, ...sent } }),
    )
    expect(differing).toEqual([])
  }
})

test('alteration-data are refused exactly where their schema refuses the value', async () => {
  const samples = samplesOf('AlterationData').filter((sample) => !isRefusedDate(sample))
  const path = `/v1/enrollment/alteration/${nextCpf()}`
  const differing = await differencesOf(samples, (sent) => {
    const beside = 'name' in sent ? { gender: 'male' } : { name: 'Ana' }
    return partner.post(path, { 'alteration-data': { ...beside, ...sent } })
  })
  expect(differing).toEqual([])
})

test('unknown fields are refused exactly where the schema refuses them', async () => {
  const { InclusionMember, ExclusionDetails, AlterationData } = document.components.schemas
  const inclusion = await partner.post('/v1/enrollment/inclusion?dry-run=true', {
    'company-tax-id': company.taxId,
    members: [primary({ shoe: 42 })],
  })
  expect([inclusion.status, InclusionMember?.additionalProperties]).toEqual([200, true])
  const exclusion = await partner.post(`/v1/enrollment/exclusion/${nextCpf()}/benefit/${uuid}`, {
    'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', shoe: 42 },
  })
  expect([exclusion.status, ExclusionDetails?.additionalProperties]).toEqual([400, false])
  const alteration = await partner.post(`/v1/enrollment/alteration/${nextCpf()}`, {
    'alteration-data': { name: 'Ana', shoe: 42 },
  })
  expect([alteration.status, AlterationData?.additionalProperties]).toEqual([400, false])
})
