import type { LayoutColumn } from '../definition.ts'
import type { LayoutInput } from '../layout.ts'
import { filled, read } from './columns.ts'

const day = { format: 'date:yyyyMMdd' } as const
const name = { format: 'upper-ascii' } as const
const digits = { format: 'digits' } as const

/** The carrier's codes were not found: the map is filled in a copy. */
const codes = { map: {} }

const cids: readonly (readonly [string, null])[] = Array.from({ length: 10 }, (_, index) => [`CID${index + 1}`, null])

const columns: LayoutColumn[] = [
  { heading: 'NUM_LINHA', total: 'position' },
  ...filled([
    ['COD_EMP', 'contract.carrier-company-code', { required: true }],
    ['MATRICULA', 'primary.employee-id', { required: true }],
    ['DF', null],
    ['RDP', null],
    ['LOCAL', null],
    ['CATEGORIA', null],
    ['SETOR', null],
    ['ES', null],
    ['PLANO', 'plan.carrier-plan-code', { required: true }],
    ['DATA_ADESAO', 'movement.start-date', day],
    ['CPF', 'person.tax-id', { required: true }],
    ['NOME_BENEF', 'person.name', { ...name, required: true }],
    ['DATA_NASC', 'person.date-of-birth', { ...day, required: true }],
    ['SEXO', 'person.gender', codes],
    ['PERMANENCIA', null],
    ['GP', 'person.relationship', codes],
    ['DATA_ADM', 'registration.admission-date', day],
    ['DATA_REF', null],
    ['BANCO', 'bank.number', digits],
    ['AGENCIA', 'bank.branch-number', digits],
    ['DG_AGEN', null],
    ['CONTA_CORRENTE', 'bank.account-number', digits],
    ['CPF_CONTA_CORRENTE', 'bank.account-owners-tax-id'],
    ['NOME_TITULAR_CC', 'bank.account-owners-name', name],
    ['CODCARDIF', null],
    ['NUM_CEP', 'address.postal-code', digits],
    ['TIPO_LOGRADOURO', null],
    ['LOGRADOURO', 'address.street', name],
    ['NUMERO', 'address.number', name],
    ['COMP_LOGRADOURO', 'address.complement', name],
    ['BAIRRO', 'address.neighborhood', name],
    ['MUNICIPIO', 'address.city', name],
    ['UF', 'address.state'],
    ['TEL_RESID', null],
    ['TEL_COM', null],
    ['TEL_CEL', 'person.phone', digits],
    ['NOMEDAMAEBENE', 'person.mothers-name', name],
    ['RG', 'person.identity-document-number', name],
    ['ORGAOEMISSORG', 'person.identity-document-issuer', name],
    ['PAISEMISSORRG', null],
    ['DATAEMISSAORG', 'person.identity-document-issued-at', day],
    ['ESTADORG', 'person.identity-document-state'],
    ['PIS', 'person.pis', digits],
    ['CNS', 'person.cns', digits],
    ['E-MAIL', 'person.email-private'],
    ['GRAUESCOLARIDADE', null],
    ['RENDAFAMILIAR', null],
    ['CDPROFISSAO', null],
    ['CDPAISDEORIGEM', null],
    ['DATAEXCLUSAO', 'movement.end-date', day],
    ['CODMOVEXCLUSAO', 'movement.exclusion-reason', codes],
    ['CODOPERACAO', 'movement.kind', codes],
    ['CODEMPRESATRANSF', null],
    ['MATRICULATRANSF', null],
    ['LOCALTRANSF', null],
    ['CATTRANSF', null],
    ['PLANOTRANSF', null],
    ['MOTREMISSAO', null],
    ['CPFNOVOTITULAR', null],
    ['QTDPERMAMESES', null],
    ['RDPNOVOTITULAR', null],
    ['DTINICIOTRANSF', null],
    ['COD STATUS', null],
    ['COD ERRO', null],
    ['COD DV', null],
    ['BLOQ EMPR INADIMPLENCIA', null],
    ['CPT', null],
    ['COD EMPRESA TITULAR', null],
    ['MATRICULA 02', null],
    ['DIFERENCIADOR DA MATRICULA DO TITULAR', null],
    ['TITULO DE ELEITOR', null],
    ['RIC', null],
    ['DECLARACAO DE NASCIDO VIVO', 'person.birth-declaration-number', digits],
    ['CARTEIRA DE IDENTIFICACAO', null],
    ['INDICADOR DE SEGURADO CONTRIBUTARIO', 'movement.contributed', codes],
    ['INDICADOR DA CONDICAO DO EX-EMPREGADO', 'movement.continuation-ground', codes],
    ['INDICADOR DE PERMANENCIA NO PLANO', 'movement.option', codes],
    ['QUANTIDADE DE MESES DE CONTRIBUICAO', 'movement.contribution-months', digits],
    ['NOME COMPLETO', 'person.name', name],
    ['TITULAR REMIDO', null],
    ['EMAIL DA SEGURADORA', null],
    ['PORTABILIDADE 1', null],
    ['PORTABILIDADE 2', null],
    ['CARENCIA', null],
    ['CODIGO DO PRODUTO', null],
    ['PLANO ANTERIOR NA SAS', null],
    ...cids,
    ['IBGE', 'address.ibge-code', digits],
    ['CBO', 'person.cbo', digits],
    ['DIF TRANSFERENCIA', null],
  ]),
]

const targets: Readonly<Record<string, Parameters<typeof read>[0][number]>> = Object.fromEntries(
  (
    [
      ['MATRICULA', 'registration.employee-id'],
      ['PLANO', 'plan.carrier-plan-code'],
      ['DATA_ADESAO', 'acknowledgement.start-date', day],
      ['CPF', 'person.tax-id', { required: true }],
      ['NOME_BENEF', 'person.name'],
      ['DATAEXCLUSAO', 'acknowledgement.end-date', day],
      ['COD STATUS', 'acknowledgement.outcome', { ...codes, required: true }],
      ['COD ERRO', 'acknowledgement.code'],
    ] as const
  ).map((column) => [column[0], column]),
)

const rosterTargets: typeof targets = Object.fromEntries(
  (
    [
      ['COD_EMP', 'contract.contract-number'],
      ['MATRICULA', 'registration.employee-id'],
      ['PLANO', 'plan.carrier-plan-code'],
      ['DATA_ADESAO', 'benefit.start-date', day],
      ['CPF', 'person.tax-id'],
      ['NOME_BENEF', 'person.name', { required: true }],
      ['DATA_NASC', 'person.date-of-birth', day],
      ['DATA_ADM', 'registration.admission-date', day],
      ['NOMEDAMAEBENE', 'person.mothers-name'],
      ['DATAEXCLUSAO', 'benefit.end-date', day],
      ['CARTEIRA DE IDENTIFICACAO', 'benefit.card-number'],
    ] as const
  ).map((column) => [column[0], column]),
)

const file = { format: 'csv', encoding: 'windows-1252' } as const
const source =
  'SulAmérica MECSAS, 100 columns, dates yyyyMMdd: names and order as the files of two customers have them. The codes of SEXO, GP, CODMOVEXCLUSAO, ' +
  'CODOPERACAO, COD STATUS and of the columns 76 to 78, of people who may keep the plan, were not found: fill them in a copy.'

/** A file of movements that comes back with a status and an error in each line. */
export const mecsas: Readonly<Record<'mecsas' | 'mecsas-acknowledgement' | 'mecsas-roster', LayoutInput>> = {
  mecsas: {
    name: 'SulAmérica MECSAS',
    direction: 'movement',
    source,
    definition: {
      ...file,
      'formula-guard': false,
      'header-lines': [['MECSAS'], 'headings'],
      records: [{ name: 'movement', columns }],
    },
  },
  'mecsas-acknowledgement': {
    name: 'SulAmérica MECSAS: retorno',
    direction: 'acknowledgement',
    source,
    definition: {
      ...file,
      'skip-first-lines': 2,
      records: [
        { name: 'answer', columns: read(columns.map(({ heading = '' }) => targets[heading] ?? [heading, null])) },
      ],
    },
  },
  'mecsas-roster': {
    name: 'SulAmérica MECSAS: cadastro',
    direction: 'roster',
    source,
    definition: {
      ...file,
      'skip-first-lines': 2,
      records: [
        { name: 'person', columns: read(columns.map(({ heading = '' }) => rosterTargets[heading] ?? [heading, null])) },
      ],
    },
  },
}
