import { PORTUGUESE } from '#kernel/texts/texts.ts'
import type { LayoutRecord } from '../definition.ts'
import type { LayoutInput } from '../layout.ts'
import { filled } from './columns.ts'

type Columns = Parameters<typeof filled>[0]

/* People read the workbook: codes are the words of the console. */
const terms = PORTUGUESE.terms
const gender = { map: { ...terms.gender } }
const maritalStatus = { map: { ...terms.maritalStatus } }
const relationship = { map: { primary: terms.beneficiaryType.primary, ...terms.dependentType } }
const exclusionReason = { map: { ...terms.exclusionReason } }
const required = { required: true }

const contract: Columns = [
  ['Nº da apólice/contrato', 'contract.contract-number', required],
  ['Nº Sub', 'contract.sub-contract'],
]
const carrier: Columns = [['Operadora', 'contract.carrier-name', required]]
const start: Columns = [
  ['Inicio de Vigência', 'movement.start-date'],
  ['Início de Vigência Programada', 'shipment.coverage-start'],
]
/** Health data stay empty. */
const measures: Columns = [
  ['Peso', null],
  ['Altura', null],
]
const dates: Columns = [
  ['Data da Tutela', null],
  ['Data do Documento', null],
  ['Data do Casamento', null],
]
const shipment = (sequence: string): Columns => [
  ['Lote ou Chamado', 'shipment.number'],
  ['Documento', null],
  [sequence, 'movement.position'],
  ['Setor', null],
  ['Lotação', null],
  ['Local', null],
]
const units: Columns = [
  ['Unidade de Atendimento', null],
  ['Unidade de Negociação', null],
]
const costCenter = (suffix: string, subject: 'registration' | 'changed'): Columns => [
  [`Nº Centro de Custo${suffix}`, `${subject}.cost-center`],
  [`Nome Centro de Custo${suffix}`, `${subject}.cost-center-name`],
]
const address = (subject: 'address' | 'changed-address'): Columns => [
  ['Tipo de Logradouro', null],
  ['Nome do Logradouro', `${subject}.street`],
  ['Número', `${subject}.number`],
  ['Complemento', `${subject}.complement`],
  ['Bairro', `${subject}.neighborhood`],
  ['Cidade', `${subject}.city`],
  ['Estado', `${subject}.state`],
  ['CEP', `${subject}.postal-code`],
]
const bank = (subject: 'bank' | 'changed-bank'): Columns => [
  ['Banco', `${subject}.number`],
  ['Agência', `${subject}.branch-number`],
  ['Dígito da Agência', null],
  ['Conta Corrente', `${subject}.account-number`],
  ['Dígito da conta corrente', null],
]

const family: Columns = [
  ...carrier,
  ...contract,
  ...start,
  ['Código/Nome do Plano', 'plan.product-name', required],
  ['Matrícula', 'primary.employee-id'],
  ['Código Dependente', null],
  ['Data de admissão', 'registration.admission-date'],
  ['Nome Segurado', 'person.name', required],
  ['Sexo', 'person.gender', gender],
  ['Data de Nascimento', 'person.date-of-birth', required],
  ['Nº CPF', 'person.tax-id', required],
  ['Estado Civil', 'person.marital-status', maritalStatus],
  ['Grau de Parentesco', 'person.relationship', relationship],
  ...measures,
  ...dates,
  ['Nome da Mãe', 'person.mothers-name'],
  ['Nome do Pai', 'person.fathers-name'],
  ['PIS', 'person.pis'],
  ['RG', 'person.identity-document-number'],
  ['Órgão Emissor', 'person.identity-document-issuer'],
  ['Data Expedição', 'person.identity-document-issued-at'],
  ...costCenter('', 'registration'),
  ['Cargo', 'registration.job-title'],
  ...address('address'),
  ['Cartão nacional de saúde', 'person.cns'],
  ...bank('bank'),
  ['Número de nascido vivo', 'person.birth-declaration-number'],
  ['Telefone', 'person.phone'],
  ['E-mail', 'person.email-private'],
  ...shipment('Sequência'),
  ...units,
]

const dependent: Columns = [
  ...carrier,
  ...contract,
  ['Matrícula (Titular)', 'primary.employee-id'],
  ['Certificado', null],
  ['Código Dependente', null],
  ['Nome do Titular', 'primary.name', required],
  ['CPF Titular', 'primary.tax-id', required],
  ['Nome Dependente', 'person.name', required],
  ['CPF do Dependente', 'person.tax-id'],
  ['Data de Nascimento', 'person.date-of-birth', required],
  ['Sexo', 'person.gender', gender],
  ['Estado Civil', 'person.marital-status', maritalStatus],
  ['Grau de Parentesco', 'person.relationship', relationship],
  ...measures,
  ...dates,
  ...start,
  ['Nome da Mãe do dependente', 'person.mothers-name'],
  ['Nome do Pai', 'person.fathers-name'],
  ['Número de nascido vivo', 'person.birth-declaration-number'],
  ['CNS', 'person.cns'],
  ...shipment('Sequencia'),
]

const exclusion: Columns = [
  ['Tipo de Exclusão', 'movement.beneficiary-type', { map: { ...terms.beneficiaryType } }],
  ...contract,
  ...carrier,
  ['Matrícula', 'primary.employee-id'],
  ['Certificado', null],
  ['Código Dependente', null],
  ['Nome do Titular', 'primary.name', required],
  ['CPF Titular', 'primary.tax-id', required],
  ['Data de Demissão', null],
  ['Nome Dependente', 'dependent.name'],
  ['Data de Cancelamento', 'movement.end-date', required],
  ['Data de Cancelamento Programada', null],
  ['Motivo', 'movement.exclusion-reason', exclusionReason],
  ...shipment('Sequencia'),
]

const identity: Columns = [
  ['Nome Cadastrado', 'former.name', required],
  ['Nome Correto', 'changed.name'],
  ['Data de Nascimento Cadastrada', 'former.date-of-birth'],
  ['Data de Nascimento Correta', 'changed.date-of-birth'],
  ['CPF Cadastrado', 'former.tax-id', required],
  ['CPF Correto', 'changed.tax-id'],
  ['Estado Civil', 'changed.marital-status', maritalStatus],
]
const parents: Columns = [
  ['Nome da Mãe', 'changed.mothers-name'],
  ['Nome do Pai', 'changed.fathers-name'],
]
const altered: Columns = [
  [
    'Tipo de Alteração',
    'movement.alteration-type',
    { map: { registration: 'Cadastro', plan: 'Plano', company: 'Empresa' } },
  ],
  ...contract,
  ...carrier,
  ...start,
  ['Matrícula', 'primary.employee-id'],
  ['Certificado', null],
]

/** The columns of a change of company. */
const destination: Columns = [
  ['CNPJ Novo', 'destination.company-tax-id'],
  ['Nº da apólice/contrato Novo', 'destination.contract-number'],
  ['Nº Sub Novo', 'destination.sub-contract'],
]

const alterationOfPrimary: Columns = [
  ...altered,
  ['Matrícula Nova', 'changed.employee-id'],
  ...costCenter(' Novo', 'changed'),
  ['Plano Novo', 'changed-plan.product-name'],
  ['Motivo da Alteração de Plano', 'movement.reason'],
  ...identity,
  ...measures,
  ...parents,
  ...address('changed-address'),
  ...bank('changed-bank'),
  ['Telefone', 'changed.phone'],
  ['E-mail', 'changed.email-private'],
  ...shipment('Sequência'),
  ...units,
  ...destination,
]

const alterationOfDependent: Columns = [
  ...altered.filter(([heading]) => heading !== 'Início de Vigência Programada'),
  ['Código Dependente', null],
  ...identity,
  ['Grau de Parentesco Cadastrado', 'person.relationship', relationship],
  ['Grau de Parentesco Novo', null],
  ...measures,
  ...parents,
  ['CNS', 'changed.cns'],
  ['Número de nascido vivo', 'changed.birth-declaration-number'],
  ...shipment('Sequência'),
  ...destination,
]

const secondCard: Columns = [
  ['Tipo', 'movement.beneficiary-type', { map: { ...terms.beneficiaryType } }],
  ['Nº da apólice/contrato', 'contract.contract-number', required],
  ...carrier,
  ['Nº Sub', 'contract.sub-contract'],
  ['Matrícula', 'primary.employee-id'],
  ['Certificado', null],
  ['Código Dependente', null],
  ['Nome do Titular', 'primary.name', required],
  ['CPF Titular', 'primary.tax-id', required],
  ['Nome Dependente', 'dependent.name'],
  ['Motivo', 'movement.second-card-reason', { map: { ...terms.secondCardReason } }],
  ...costCenter('', 'registration'),
  ...shipment('Sequência'),
]

const transfer: Columns = [
  ...carrier,
  ...contract,
  ['Nome do Titular', 'primary.name', required],
  ['Matrícula Atual', 'primary.employee-id'],
  ['Certificado', null],
  ['CPF Titular', 'primary.tax-id', required],
  ['Nº Sub Novo', 'movement.sub-contract'],
  ['Matrícula Nova', 'changed.employee-id'],
  ['Início de Vigência Nova', 'movement.start-date'],
  ...costCenter(' Novo', 'changed'),
  ['Cargo Novo', 'changed.job-title'],
  ['Plano Novo', 'changed-plan.product-name'],
  ...shipment('Sequência'),
  ...units,
]

const record = (
  name: string,
  sheet: string,
  columns: Columns,
  when: NonNullable<LayoutRecord['when']>,
): LayoutRecord => ({ name, sheet, when, columns: filled(columns) })

const [primaryOnly, dependentOnly] = [
  { 'movement.beneficiary-type': 'primary' },
  { 'movement.beneficiary-type': 'dependent' },
] as const

/** The workbook in which brokers collect movements, a sheet for each kind. */
export const universalWorkbook: Readonly<Record<'universal-workbook', LayoutInput>> = {
  'universal-workbook': {
    name: 'Planilha universal de movimentação V6',
    direction: 'movement',
    source:
      'Movement workbook V6 of brokers: headings of the first three sheets as two public converters have them, those of the others after the fields of one. ' +
      'Weight and height are health data and stay empty.',
    definition: {
      format: 'xlsx',
      records: [
        record('family-primary', 'Inclusão grupo familiar', family, { 'movement.kind': 'inclusion', ...primaryOnly }),
        // With the primary, who is new to the carrier.
        record('family-dependent', 'Inclusão grupo familiar', family, {
          'movement.kind': 'inclusion',
          ...dependentOnly,
          'primary.status': 'pending',
        }),
        record('dependent', 'Inclusão dependente', dependent, {
          'movement.kind': 'inclusion',
          ...dependentOnly,
          'primary.status': ['sent', 'active'],
        }),
        record('exclusion', 'Exclusão', exclusion, { 'movement.kind': 'exclusion' }),
        record('primary-alteration', 'Alteração titular', alterationOfPrimary, {
          'movement.kind': 'alteration',
          ...primaryOnly,
        }),
        record('dependent-alteration', 'Alteração dependente', alterationOfDependent, {
          'movement.kind': 'alteration',
          ...dependentOnly,
        }),
        record('second-card', '2ª via de cartão', secondCard, { 'movement.kind': 'second-card' }),
        record('transfer', 'Transferência', transfer, { 'movement.kind': 'contract-transfer' }),
      ],
    },
  },
}
