/* What carriers write in their files, above the columns and in them. */
import { ACKNOWLEDGEMENT_HEADINGS, OUTCOME_WORDS } from '../../../../src/exchange/rules/acknowledgement-words.ts'
import { byWord, headingWords } from '../../../../src/exchange/rules/heading-words.ts'
import { foldHeading } from '../../../../src/kernel/heading.ts'
import type { EntryType } from '../../../../src/kernel/reconciliation.ts'
import { IMPORT_WORDS, type Words } from '../../../../src/movements/rules/import-words.ts'
import type { Target } from '../../../../src/registry/rules/layout-fields.ts'
import type { CarrierDirection } from '../../../../src/registry/rules/layout.ts'

type Headings = Partial<Words<Target>>

const person: Headings = {
  'benefit.card-number': [
    'carteirinha',
    'carteira',
    'cartão',
    'carteira do beneficiário',
    'carteirinha do beneficiário',
    'cartão do beneficiário',
    'carteira de identificação',
    'código do beneficiário',
    'código do usuário',
    'matrícula do beneficiário',
    'marca ótica',
  ],
  'person.tax-id': [
    'cpf',
    'cpf do beneficiário',
    'cpf do usuário',
    'cpf do segurado',
    'cpf do associado',
    'cpf da vida',
  ],
  'person.name': [
    'nome',
    'nome do beneficiário',
    'beneficiário',
    'nome do usuário',
    'usuário',
    'nome do segurado',
    'segurado',
    'nome do associado',
    'nome da vida',
    'associado',
    'nome completo',
    'vida',
  ],
  'person.relationship': [
    'parentesco',
    'grau de parentesco',
    'grau',
    'grau de dependência',
    'dependência',
    'vínculo',
    'relação de dependência',
    'titularidade',
    'tipo de beneficiário',
    'tipo de usuário',
    'tipo',
  ],
  'primary.tax-id': ['cpf do titular', 'cpf do responsável'],
  'primary.name': ['nome do titular', 'titular'],
  'person.date-of-birth': ['data de nascimento', 'nascimento'],
  'registration.employee-id': [
    'matrícula',
    'matrícula funcional',
    'matrícula do funcionário',
    'matrícula na empresa',
    'código do funcionário',
    'chapa',
  ],
  'benefit.certificate': ['certificado', 'família', 'código da família'],
  'benefit.dependent-code': ['código do dependente', 'sequência do dependente', 'dependente'],
  'contract.contract-number': ['contrato', 'apólice', 'código do contrato'],
  'contract.sub-contract': ['subfatura', 'sub fatura', 'subestipulante', 'subcontrato', 'código da subfatura'],
}

const cover: Headings = {
  'plan.carrier-plan-code': [
    'plano',
    'código do plano',
    'nome do plano',
    'descrição do plano',
    'produto',
    'código do produto',
  ],
  'benefit.start-date': [
    'início',
    'data de início',
    'início de vigência',
    'data de início de vigência',
    'data de vigência',
    'vigência',
    'data de inclusão',
    'inclusão',
    'data de adesão',
    'adesão',
    'início de cobertura',
  ],
}

const months = ['competência', 'mês', 'mês de competência', 'mês de referência', 'referência', 'período']
const amounts = ['valor', 'valor total', 'total', 'valor cobrado', 'valor a pagar', 'valor r', 'preço']

/** The files of carriers that are read. */
export type ReadKind = Exclude<CarrierDirection, 'movement'>

const { 'enrollment-id': enrollmentId, position, 'tax-id': taxId, ...ofAnswer } = ACKNOWLEDGEMENT_HEADINGS
const { 'product-name': productName, 'carrier-plan-code': planCode, ...answer } = ofAnswer

const headings = {
  acknowledgement: {
    'movement.enrollment-id': enrollmentId,
    'movement.position': position,
    'person.tax-id': taxId,
    'plan.product-name': productName,
    'plan.carrier-plan-code': planCode,
    'acknowledgement.outcome': answer.outcome,
    'acknowledgement.card-number': answer['card-number'],
    'acknowledgement.start-date': answer['start-date'],
    'acknowledgement.end-date': answer['end-date'],
    'acknowledgement.code': answer.code,
    'acknowledgement.message': answer.message,
    'acknowledgement.protocol': answer.protocol,
  },
  roster: {
    ...person,
    ...cover,
    'benefit.end-date': [
      'fim',
      'fim de vigência',
      'término',
      'data de término',
      'data de exclusão',
      'exclusão',
      'data de cancelamento',
      'cancelamento',
    ],
    'person.gender': ['sexo', 'gênero'],
    'person.marital-status': ['estado civil'],
    'person.mothers-name': ['nome da mãe', 'mãe'],
    'registration.admission-date': ['data de admissão', 'admissão'],
    'roster.reference-month': months,
  },
  invoice: {
    ...person,
    ...cover,
    'invoice.amount': [
      ...amounts,
      'mensalidade',
      'valor da mensalidade',
      'prêmio',
      'valor do prêmio',
      'valor mensal',
      'valor do plano',
      'valor da fatura',
      'valor do lançamento',
    ],
    'invoice.employee-amount': [
      'parte do funcionário',
      'parte do empregado',
      'valor do funcionário',
      'contribuição do funcionário',
      'desconto do funcionário',
    ],
    'invoice.entry-type': [
      'lançamento',
      'tipo de lançamento',
      'descrição do lançamento',
      'tipo de cobrança',
      'cobrança',
      'rubrica',
      'evento',
      'histórico',
      'natureza',
    ],
    'invoice.entry-code': ['código do lançamento', 'código da rubrica', 'código do evento'],
    'invoice.entry-month': ['mês do lançamento', 'competência do lançamento', 'mês de cobertura', 'mês de origem'],
    'invoice.reference-month': months,
  },
  coparticipation: {
    ...person,
    'coparticipation.amount': [
      ...amounts,
      'coparticipação',
      'valor da coparticipação',
      'valor coparticipação',
      'copart',
      'valor copart',
    ],
    'coparticipation.reference-month': months,
  },
} as const satisfies Record<ReadKind, Headings>

/** What the columns of a kind of file may be, in the order of a choice. */
export const targetsOf = (kind: ReadKind) => Object.keys(headings[kind]) as Target[]

const lookups = {
  acknowledgement: headingWords<Target>(headings.acknowledgement),
  roster: headingWords<Target>(headings.roster),
  invoice: headingWords<Target>(headings.invoice),
  coparticipation: headingWords<Target>(headings.coparticipation),
}

/** What the headings of a kind of file stand for. A column of the primary is not one of the person. */
export function headingsOf(kind: ReadKind) {
  const { known, proposed } = lookups[kind]
  const near = (heading: string) => {
    const target = proposed(heading)
    return /\b(?:titular|tit)\b/i.test(heading) && target?.startsWith('primary.') !== true ? null : target
  }
  return { known, proposed: near }
}

const entryTypes: Words<EntryType> = {
  monthly: ['mensalidade', 'mensal', 'fatura mensal', 'prêmio'],
  inclusion: ['inclusão', 'movimento inclusão'],
  'inclusion-retroactive': ['inclusão retroativa', 'retroativo', 'retroativa', 'retroativo de inclusão'],
  reactivation: ['reativação', 'reabilitação'],
  'reactivation-retroactive': ['reativação retroativa'],
  transfer: ['transferência', 'mudança de plano'],
  'transfer-retroactive': ['transferência retroativa'],
  alteration: ['alteração'],
  'alteration-retroactive': ['alteração retroativa'],
  cancellation: ['cancelamento', 'exclusão'],
  'cancellation-retroactive': ['cancelamento retroativo', 'exclusão retroativa', 'devolução'],
  'adjustment-debit': ['acerto a débito', 'débito', 'acerto débito'],
  'adjustment-credit': ['acerto a crédito', 'crédito', 'acerto crédito', 'estorno'],
  'claims-recovery': ['recuperação de sinistros'],
  coparticipation: ['coparticipação', 'copart', 'co-participação'],
  fee: ['taxa', 'taxa de cadastro', 'taxa de implantação', 'taxa de emissão', 'segunda via', '2 via de cartão'],
  tax: ['imposto', 'iof', 'iss'],
  discount: ['desconto'],
  other: ['outro', 'outros'],
}

/** The words that are known for the values of the closed sets. */
const words: Partial<Record<Target, Partial<Words<string>>>> = {
  'person.relationship': {
    ...IMPORT_WORDS.dependentType,
    primary: [...(IMPORT_WORDS.beneficiaryType['primary'] ?? []), 'tit'],
    spouse: [...(IMPORT_WORDS.dependentType['spouse'] ?? []), 'marido', 'mulher'],
  },
  'person.gender': IMPORT_WORDS.gender,
  'person.marital-status': IMPORT_WORDS.maritalStatus,
  'invoice.entry-type': entryTypes,
  'acknowledgement.outcome': OUTCOME_WORDS,
}

/** The words that are known for the values of a closed set, each with its value. */
export function knownWordsOf(target: Target): ReadonlyMap<string, string> {
  const entries = Object.entries(words[target] ?? {}).flatMap(([value, own = []]) =>
    own.map((word) => [foldHeading(word), { word, value }] as const),
  )
  // One word of those that are compared as the same.
  return new Map([...new Map(entries).values()].map(({ word, value }) => [word, value]))
}

/** The value of a closed set that a word is known to mean. */
const meanings = new Map(
  Object.entries(words).map(([target, own]) => [target as Target, byWord<string>(own, foldHeading)]),
)
export const knownValueOf = (target: Target, word: string): string | undefined =>
  meanings.get(target)?.get(foldHeading(word))
