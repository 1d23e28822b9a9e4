import type { BuiltInLayout } from '../../../../src/registry/rules/layout.ts'
import { currentLanguage } from '../../language/language.ts'

type Words = readonly [name: string, source: string]

const generic = 'Os campos desta API. Os códigos do SIB são os da RN 500/2022.' as const
const read = 'Os campos desta API. Valores com vírgula decimal, dias como 2026-11-30, meses como 2026-11.' as const
const mecsas =
  'SulAmérica MECSAS, 100 colunas, datas yyyyMMdd: nomes e ordem como nos arquivos de dois clientes. Os códigos de SEXO, GP, CODMOVEXCLUSAO, CODOPERACAO, COD STATUS e das colunas 76 a 78, de quem pode manter o plano, não foram encontrados: preencha-os em uma cópia.'
const notVerified = 'como em código público que o lê' as const

/** The names and sources of the built-in layouts, which the service has in English. */
const BUILT_IN_WORDS: Readonly<Record<BuiltInLayout, Words>> = {
  'generic-csv': ['Movimentações em CSV', generic],
  'generic-csv-acknowledgement': ['Retorno em CSV', generic],
  'generic-xlsx': ['Movimentações em XLSX', generic],
  'generic-xlsx-acknowledgement': ['Retorno em XLSX', generic],
  'generic-ndjson': ['Movimentações em NDJSON', generic],
  'generic-ndjson-acknowledgement': ['Retorno em NDJSON', generic],
  mecsas: ['SulAmérica MECSAS', mecsas],
  'mecsas-acknowledgement': ['SulAmérica MECSAS: retorno', mecsas],
  'mecsas-roster': ['SulAmérica MECSAS: cadastro', mecsas],
  'universal-workbook': [
    'Planilha universal de movimentação V6',
    'Planilha de movimentação V6 das corretoras: títulos das três primeiras planilhas como em dois conversores públicos, os das outras conforme os campos de um deles. Peso e altura são dados de saúde e ficam vazios.',
  ],
  'payroll-csv': ['Descontos em folha em CSV', 'As colunas que as folhas importam: matrícula, CPF, evento e valor.'],
  'payroll-bill-csv': ['Descontos a cobrar por boleto em CSV', 'O que uma cobrança precisa: nome, CPF, meses e valor.'],
  'payroll-bill-xlsx': [
    'Descontos a cobrar por boleto em XLSX',
    'O que uma cobrança precisa: nome, CPF, meses e valor.',
  ],
  'bradesco-roster': [
    'Bradesco Saúde: cadastro, 180 posições',
    `Bradesco Saúde “cadastro”, 180 caracteres: posições ${notVerified}, não conferidas em um arquivo.`,
  ],
  'bradesco-invoice': [
    'Bradesco Saúde: fatura técnica, 180 posições',
    `Bradesco Saúde “fatura técnica”, 180 caracteres: posições ${notVerified}; com a regra do sinal os totais de um arquivo real conferem até o centavo. A lista de códigos de lançamento da operadora não foi encontrada.`,
  ],
  'bradesco-coparticipation': [
    'Bradesco Saúde: coparticipação em CSV',
    `Coparticipação do Bradesco Saúde, uma planilha com os registros 01 e 02 salva em CSV: colunas ${notVerified}. Só o total de cada pessoa é lido.`,
  ],
  'hapvida-roster': [
    'Hapvida: cadastro em CSV',
    `Cadastro de 44 colunas ${notVerified}, não conferido em um arquivo. Os códigos de Grau_Parentesco e Tipo_Usuario não foram encontrados: preencha-os em uma cópia.`,
  ],
  'hapvida-invoice': [
    'Hapvida: fatura em CSV',
    `Fatura da Hapvida, 19 colunas, valores em centavos: títulos ${notVerified}.`,
  ],
  'unimed-invoice': [
    'Unimed: fatura em TXT',
    `Fatura da Unimed com ponto e vírgula, registros H, 1 e 9: posições ${notVerified}, para uma das Unimeds. Créditos e débitos ao lado do valor não são lidos.`,
  ],
  fatucopa: [
    'SulAmérica FATUCOPA: coparticipação, 182 posições',
    `SulAmérica FATUCOPA, 182 caracteres: posições ${notVerified}. Os decimais do valor não são informados ali: supõem-se dois. Só o valor de cada pessoa é lido.`,
  ],
  'generic-csv-roster': ['Relação de vidas em CSV', read],
  'generic-csv-invoice': ['Fatura em CSV', read],
  'generic-csv-coparticipation': ['Coparticipação em CSV', read],
  'generic-xlsx-roster': ['Relação de vidas em XLSX', read],
  'generic-xlsx-invoice': ['Fatura em XLSX', read],
  'generic-xlsx-coparticipation': ['Coparticipação em XLSX', read],
}

interface OfLayout {
  readonly 'layout-id': string
  readonly name: string
  readonly source?: string | null
}

function wordsOf(id: string): Words | undefined {
  if (currentLanguage() !== 'pt-BR' || !Object.hasOwn(BUILT_IN_WORDS, id)) return undefined
  return BUILT_IN_WORDS[id as BuiltInLayout]
}

/** The name of a layout, in the language of the console where it is built in. */
export const layoutName = ({ 'layout-id': id, name }: OfLayout): string => wordsOf(id)?.[0] ?? name

/** Where the description of a layout comes from; null: not stated. */
export const layoutSource = ({ 'layout-id': id, source = null }: OfLayout): string | null => wordsOf(id)?.[1] ?? source
