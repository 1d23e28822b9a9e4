import { REGISTRATION, type Source } from '../../rules/layout-fields.ts'
import type { LayoutDefinition } from '../definition.ts'
import type { LayoutInput } from '../layout.ts'
import { filled, read } from './columns.ts'

/** The codes of the SIB (RN 500/2022), which every carrier knows; empty: none of its own. */
const sibRelationships = {
  primary: '1',
  spouse: '3',
  partner: '3',
  child: '4',
  'adopted-child': '4',
  stepchild: '6',
  parent: '8',
  'parent-in-law': '10',
  ward: '10',
  sibling: '10',
  'sibling-in-law': '10',
  grandchild: '10',
  grandparent: '10',
  'nephew-niece': '10',
  'uncle-aunt': '10',
  other: '10',
} as const

const sibCancellations = {
  'requested-by-beneficiary': '41',
  dismissal: '42',
  'dismissal-with-cause': '42',
  resignation: '42',
  'mutual-agreement': '42',
  'end-of-contract': '42',
  retirement: '42',
  'non-payment': '43',
  death: '44',
  'undue-inclusion': '46',
  fraud: '47',
  portability: '48',
  'loss-of-dependent-status': '',
  other: '',
} as const

type Entry = readonly [heading: string, source: Source]

/** The fields of a subject, each under a heading like the fields of the API. */
function all(subject: keyof typeof REGISTRATION, prefix = ''): Entry[] {
  return Object.keys(REGISTRATION[subject]).map((field) => [`${prefix}${field}`, `${subject}.${field}` as Source])
}

const columns = filled([
  ['enrollment-id', 'movement.enrollment-id', { required: true }],
  ['position', 'movement.position'],
  ['kind', 'movement.kind', { required: true }],
  ['alteration-type', 'movement.alteration-type'],
  ['beneficiary-type', 'movement.beneficiary-type', { required: true }],
  ['carrier-name', 'contract.carrier-name'],
  ['contract-number', 'contract.contract-number'],
  ['sub-contract', 'contract.sub-contract'],
  ['company-tax-id', 'contract.company-tax-id'],
  ['product-name', 'plan.product-name'],
  ['carrier-plan-code', 'plan.carrier-plan-code'],
  ['former-carrier-plan-code', 'former-plan.carrier-plan-code'],
  ['start-date', 'movement.start-date'],
  ['end-date', 'movement.end-date'],
  ['exclusion-reason', 'movement.exclusion-reason'],
  ['sib-cancellation', 'movement.exclusion-reason', { map: sibCancellations }],
  ['reason', 'movement.reason'],
  ['card-number', 'benefit.card-number'],
  ['primary-tax-id', 'primary.tax-id'],
  ['primary-name', 'primary.name'],
  ['relationship', 'person.relationship', { required: true }],
  ['sib-relationship', 'person.relationship', { map: sibRelationships }],
  ...all('person'),
  ['former-name', 'former.name'],
  ['former-tax-id', 'former.tax-id'],
  ...all('registration'),
  ...all('address', 'address-'),
  ...all('bank', 'bank-'),
  ['destination-company-tax-id', 'destination.company-tax-id'],
  ['destination-contract-number', 'destination.contract-number'],
  ['destination-sub-contract', 'destination.sub-contract'],
])

const answer = read([
  ['enrollment-id', 'movement.enrollment-id'],
  ['position', 'movement.position', { format: 'digits' }],
  ['tax-id', 'person.tax-id'],
  ['product-name', 'plan.product-name'],
  ['outcome', 'acknowledgement.outcome', { required: true }],
  ['card-number', 'acknowledgement.card-number'],
  ['start-date', 'acknowledgement.start-date'],
  ['end-date', 'acknowledgement.end-date'],
  ['code', 'acknowledgement.code'],
  ['message', 'acknowledgement.message'],
  ['protocol', 'acknowledgement.protocol'],
])

/** The layout of movements, and of the answer to them. */
function pairOf(label: string, file: Omit<LayoutDefinition, 'records'>): readonly [LayoutInput, LayoutInput] {
  const source = 'The fields of this API; the codes of the SIB are those of RN 500/2022.'
  return [
    {
      name: `Movements as ${label}`,
      direction: 'movement',
      source,
      definition: { ...file, records: [{ name: 'movement', columns }] },
    },
    {
      name: `Acknowledgement as ${label}`,
      direction: 'acknowledgement',
      source,
      definition: { ...file, records: [{ name: 'answer', columns: answer }] },
    },
  ]
}

const csv = pairOf('CSV', { format: 'csv', 'header-lines': ['headings'] })
const xlsx = pairOf('XLSX', { format: 'xlsx' })
const ndjson = pairOf('NDJSON', { format: 'ndjson' })

/** Every field that a carrier may ask for, under the names of the API, and the answer to it. */
export const generic = {
  'generic-csv': csv[0],
  'generic-csv-acknowledgement': csv[1],
  'generic-xlsx': xlsx[0],
  'generic-xlsx-acknowledgement': xlsx[1],
  'generic-ndjson': ndjson[0],
  'generic-ndjson-acknowledgement': ndjson[1],
} as const
