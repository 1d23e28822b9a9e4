import type { Codes } from './configuration.ts'
import { type ContractCodes, type Model, type ModelField, RefusedError, type SubModel } from './pls-client.ts'
import type { ShipmentItem } from './shipment.ts'

type Values = ShipmentItem['values']

/** A field of PLS, from the values of an item; empty: it has none. */
type Column = readonly [id: string, of: (values: Values, codes: Codes) => string]

const text = (source: string) => (values: Values) => values[source] ?? ''
const digits = (source: string) => (values: Values) => text(source)(values).replaceAll(/\D/g, '')
const code = (table: 'gender' | 'marital-status', source: string) => (values: Values, codes: Codes) =>
  codeOf(codes, table, [text(source)(values)])

/** All values are strings, dates are `yyyyMMdd`. */
const requiredColumns: readonly Column[] = [
  ['B2N_NOMUSR', text('person.name')],
  ['B2N_DATNAS', digits('person.date-of-birth')],
  ['B2N_GRAUPA', kinship],
  ['B2N_ESTCIV', code('marital-status', 'person.marital-status')],
  ['B2N_SEXO', code('gender', 'person.gender')],
  ['B2N_MAE', text('person.mothers-name')],
  ['B2N_CPFUSR', digits('person.tax-id')],
]
const optionalColumns: readonly Column[] = [
  ['B2N_CODPRO', text('plan.carrier-plan-code')],
  ['B2N_DRGUSR', text('person.identity-document-number')],
  ['B2N_ORGEM', text('person.identity-document-issuer')],
  ['B2N_RGEST', text('person.identity-document-state')],
  ['B2N_NRCRNA', digits('person.cns')],
  ['B2N_CEPUSR', digits('address.postal-code')],
  ['B2N_ENDERE', text('address.street')],
  ['B2N_NR_END', text('address.number')],
  ['B2N_COMEND', text('address.complement')],
  ['B2N_BAIRRO', text('address.neighborhood')],
  ['B2N_CODMUN', text('address.ibge-code')],
  ['B2N_MUNICI', text('address.city')],
  ['B2N_ESTADO', text('address.state')],
  ['B2N_DDD', (values) => phone(text('person.phone')(values)).area],
  ['B2N_TELEFO', (values) => phone(text('person.phone')(values)).number],
  ['B2N_EMAIL', text('person.email-private')],
  ['B2N_PAI', text('person.fathers-name')],
  ['B2N_BANCO', text('bank.number')],
  ['B2N_AGENC', text('bank.branch-number')],
  ['B2N_CONTA', text('bank.account-number')],
  ['B2N_DATINC', digits('movement.start-date')],
]

/** What an alteration may change: the fields of the register for a changed value. */
const alterableFields: Readonly<Record<string, readonly Column[]>> = {
  'changed.name': [['BA1_NOMUSR', text('changed.name')]],
  'changed.date-of-birth': [['BA1_DATNAS', digits('changed.date-of-birth')]],
  'changed.gender': [['BA1_SEXO', code('gender', 'changed.gender')]],
  'changed.phone': [
    ['BA1_DDD', (values) => phone(text('changed.phone')(values)).area],
    ['BA1_TELEFO', (values) => phone(text('changed.phone')(values)).number],
  ],
  'changed.email-private': [['BA1_EMAIL', text('changed.email-private')]],
  'changed-address.postal-code': [['BA1_CEPUSR', digits('changed-address.postal-code')]],
  'changed-address.street': [['BA1_ENDERE', text('changed-address.street')]],
  'changed-address.number': [['BA1_NR_END', text('changed-address.number')]],
  'changed-address.complement': [['BA1_COMEND', text('changed-address.complement')]],
  'changed-address.neighborhood': [['BA1_BAIRRO', text('changed-address.neighborhood')]],
  'changed-address.city': [['BA1_MUNICI', text('changed-address.city')]],
  'changed-address.state': [['BA1_ESTADO', text('changed-address.state')]],
}

/** The inclusion of a new family: the primary first. */
export function familyModel(contract: ContractCodes, items: readonly ShipmentItem[], codes: Codes) {
  const values = items[0]?.values ?? {}
  const master = {
    BBA_CODINT: contract.BBA_CODINT,
    BBA_CODEMP: contract.BBA_CODEMP,
    BBA_CONEMP: contract.BBA_CONEMP,
    BBA_VERCON: contract.BBA_VERCON,
    BBA_SUBCON: contract.BBA_SUBCON,
    BBA_VERSUB: contract.BBA_VERSUB,
    BBA_EMPBEN: text('person.name')(values),
    BBA_CODPRO: required('plan.carrier-plan-code', text('plan.carrier-plan-code')(values)),
    BBA_VERSAO: required('plan.plan-version', text('plan.plan-version')(values)),
    BBA_CPFTIT: digits('person.tax-id')(values),
  }
  return model('PLIncBenModel', 'DETAILB2N', master, beneficiaries(items, codes))
}

/** The inclusion of dependents into a family that the carrier has. */
export function dependentsModel(familyNumber: string, items: readonly ShipmentItem[], codes: Codes) {
  return model('PLIncBenModel', 'DETAILB2N', { BBA_MATRIC: familyNumber }, beneficiaries(items, codes))
}

/** The alteration of a person. @param values those of the item. */
export function alterationModel(number: string, values: Values, codes: Codes, user: string) {
  const changed = Object.keys(values).filter((source) => source.startsWith('changed'))
  const lines = changed.flatMap((source) => {
    const columns = alterableFields[source]
    if (columns === undefined) throw new RefusedError('not-alterable', `The interface does not take ${source}`)
    return columns.map(([id, of]) => fieldsOf({ B7L_CAMPO: id, B7L_VLPOS: of(values, codes), B7L_USR: user }))
  })
  if (lines.length === 0) throw new RefusedError('field-missing', 'The alteration has no changed value')
  return model('PLAltBenModel', 'DETAILB7L', { BBA_MATRIC: number }, lines)
}

/** @throws RefusedError for a person that the carrier's interface cannot take. */
export function beneficiary(values: Values, codes: Codes): ModelField[] {
  const fields = requiredColumns.map(([id, of]) => [id, required(id, of(values, codes))])
  const optional = optionalColumns.map(([id, of]) => [id, of(values, codes)]).filter(([, value]) => value !== '')
  return fieldsOf(Object.fromEntries([...fields, ...optional]) as Record<string, string>)
}

/** The code of a value. @param keys the first that the table has. @throws RefusedError `no-code`. */
export function codeOf(codes: Codes, table: Exclude<keyof Codes, 'unblock'>, keys: readonly string[]): string {
  for (const key of keys) {
    const found = codes[table][key]
    if (found !== undefined) return found
  }
  throw new RefusedError('no-code', `The table ${table} has no code for ${keys.at(-1) || 'an empty value'}`)
}

/** The value of a field of the first level of a model. */
export function fieldOf(model: Model, id: string): string {
  return (model.models[0]?.fields ?? []).find((field) => field.id === id)?.value ?? ''
}

/** Whether a model has this value in a line. */
export function hasValue(model: Model, id: string, value: string): boolean {
  const lines = model.models[0]?.models?.flatMap(({ items = [] }) => items) ?? []
  return lines.some(({ fields }) => fields.some((field) => field.id === id && field.value === value))
}

function beneficiaries(items: readonly ShipmentItem[], codes: Codes): ModelField[][] {
  return items.map(({ values }) => beneficiary(values, codes))
}

function model(id: string, detail: string, master: Readonly<Record<string, string>>, lines: readonly ModelField[][]) {
  const fields = fieldsOf(master).map((field, index) => ({ ...field, order: index + 1 }))
  // The carrier expects it also without attachments.
  const attachments = grid('DETAILANEXO', [[]])
  return {
    id,
    operation: 3,
    models: [{ id: 'MASTERBBA', modeltype: 'FIELDS', fields, models: [grid(detail, lines), attachments] }],
  }
}

function grid(id: string, lines: readonly ModelField[][]): SubModel & { readonly modeltype: string } {
  return { id, modeltype: 'GRID', items: lines.map((fields, index) => ({ id: index + 1, deleted: 0, fields })) }
}

function fieldsOf(values: Readonly<Record<string, string>>): ModelField[] {
  return Object.entries(values).map(([id, value]) => ({ id, value }))
}

function kinship(values: Values, codes: Codes): string {
  const type = values['person.relationship'] ?? ''
  return codeOf(codes, 'kinship', [`${type}/${values['person.gender'] ?? ''}`, type])
}

function required(field: string, value: string): string {
  if (value === '') throw new RefusedError('field-missing', `${field} is missing`)
  return value
}

/** A Brazilian number with or without the code of the country. */
function phone(sent: string): { readonly area: string; readonly number: string } {
  const all = sent.replaceAll(/\D/g, '')
  const national = all.length > 11 ? all.replace(/^55/, '') : all
  return { area: national.slice(0, 2), number: national.slice(2) }
}
