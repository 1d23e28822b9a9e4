/** Examples of fields, by name: those of all responses tell of the same people, company and contract. */
const ofFields: Readonly<Record<string, unknown>> = {
  active: true,
  'admission-date': '2026-11-16',
  amount: 1_845_090,
  'anniversary-month': 3,
  'ans-plan-number': '471234567',
  'answered-fields': [],
  'as-of': '2026-11-21',
  author: '01995e0b-4c11-7e52-8d0e-3b1f6a7c9d21',
  'basis-points': 2000,
  'benefit-id': '01995e0c-7020-7d3f-9b11-5a6c7d8e9f01',
  'billing-day': 1,
  'business-date': '2026-11-26',
  by: 'op_7c9d21a4',
  'carrier-certificate': '0012345',
  'carrier-company-code': 'EMP-0042',
  'carrier-dependent-code': '00',
  'carrier-file-id': '01995e0d-1a20-7c31-8d4e-5f6a7b8c9d01',
  'carrier-id': '01995e0b-31c4-7a40-9a5b-0c6d7e8f9a10',
  'carrier-name': 'Operadora Aurora',
  'carrier-names': [],
  'carrier-plan-code': 'AE1230',
  'carrier-total': 241_690,
  cc: [],
  'claimed-total': 41_235,
  'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  'client-name': 'Folha Aurora',
  'client-secret': 'q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM',
  'closing-id': '01995e0f-5e41-7f55-8066-910213243546',
  'company-id': '01995e0b-29f4-7b12-8e33-d4c5b6a79808',
  'company-name': 'Metalúrgica Serra Azul S.A.',
  'company-tax-id': '12ABC34501DE35',
  'company-tax-ids': ['12ABC34501DE35'],
  'continuation-id': '01995e0d-1b21-7c33-8d44-5e6f70819203',
  'contract-id': '01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01',
  'contract-number': '900001',
  'contract-start': '2024-03-01',
  'contribution-months': 40,
  corrections: [],
  'cost-centers': [],
  'covered-lives': 312,
  'created-by': 'op_7c9d21a4',
  'cut-off-date': '2026-12-10',
  'cut-off-day': 20,
  'date-of-birth': '1990-05-17',
  discrepancies: [],
  'discrepancy-id': '01995e0d-3c40-7c51-8f6a-7b8c9d0e1f23',
  documents: [],
  'due-date': '2026-12-28',
  'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22',
  'exclusion-reasons': [],
  'expected-total': 163_643,
  'expires-at': '2026-12-11T13:05:09.120Z',
  'extension-plan': false,
  'failed-conditions': [],
  findings: [],
  gender: 'female',
  intact: true,
  'invoice-config-id': '01995e0b-31c7-7f4a-9a55-2b6c7d8e9f01',
  'job-titles': [],
  'last-sign-in-at': '2026-11-24T11:58:30.410Z',
  'layout-id': 'generic-csv',
  'leaving-date': '2026-11-30',
  'line-numbers': [],
  link: 'https://benefits.example/console/password#q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM',
  'marital-status': 'married',
  'max-age': 21,
  'media-type': 'text/csv',
  'member-id': '5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11',
  'member-lines': [],
  'member-name': 'Helena Brandão Souza',
  'member-tax-id': '52998224725',
  months: 14,
  'mothers-name': 'Fátima Brandão',
  'notice-date': '2026-11-25',
  number: 3,
  'option-until': '2026-12-28',
  'pending-items': [],
  'planned-by': 'op_7c9d21a4',
  premium: 95_328,
  'price-table-id': '01995e0f-1a02-7b11-8c22-5d6e7f809102',
  'price-warnings': [],
  problems: [],
  'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
  'product-ids': [],
  'product-name': 'Saúde Essencial',
  'product-type': 'health-insurance',
  'product-types': [],
  'received-on': '2026-11-20',
  'reconciliation-id': '01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12',
  record: 'enrollment-note',
  reference: 'folha-2026-11',
  'reference-month': '2026-11',
  'reference-period-end': '2026-11-30',
  'reference-period-start': '2026-11-01',
  remaining: [],
  role: 'analyst',
  'row-errors': [],
  session: 'Zq8b1m0XJw3kT5vYc7nRpLdE2uHfGsPaVoI9yQ4tWzA',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  sheets: [],
  'shipment-id': '01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32',
  size: 1840,
  'start-date': '2026-12-01',
  'sub-contract': '0002',
  'term-end': '2028-01-31',
  'term-start': '2026-12-01',
  total: 41_235,
  'unknown-values': [],
  'upload-url':
    'https://staging.vigencia.example/upload/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21?expires=1795266309&signature=kGq0',
  url: 'https://payroll.example/hooks/vigencia',
  'valid-from': '2026-03-01',
  'work-contract-types': [],
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly examples?: readonly unknown[]
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** An example that a schema accepts: optional fields are left out, and what may be null is null unless it is an object. @param referred the schema of a `$ref`. */
export function exampleOf(schema: Schema, referred: (reference: string) => Schema): unknown {
  const { $ref, type, format, allOf, anyOf, items, properties, required = [], examples = [] } = schema
  const given = schema.const ?? examples[0] ?? schema.enum?.[0]
  if (given !== undefined) return given
  if ($ref !== undefined) return exampleOf(referred($ref), referred)
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((one) => exampleOf(one, referred))) as unknown
  if (anyOf !== undefined) {
    const isNullable = anyOf.some((one) => one.type === 'null')
    const shown = anyOf.find((one) => !isNullable || one.type === 'object' || one.$ref !== undefined)
    const example = shown === undefined ? null : exampleOf(shown, referred)
    return isNullable && typeof example !== 'object' ? null : example
  }
  if (type === 'array') return items === undefined ? [] : [exampleOf(items, referred)]
  if (type === 'object') {
    const shown = required.map((name) => [name, ofFields[name] ?? exampleOf(properties?.[name] ?? {}, referred)])
    return Object.fromEntries(shown)
  }
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  return format === 'date' ? '2026-12-01' : format === 'date-time' ? '2026-11-21T13:05:09.120Z' : 'Aurora'
}
