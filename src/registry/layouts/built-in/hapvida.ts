import type { LayoutDefinition } from '../definition.ts'
import type { LayoutInput } from '../layout.ts'
import { read } from './columns.ts'

const day = { format: 'date:dd/MM/yyyy' } as const
const file = {
  format: 'csv',
  encoding: 'windows-1252',
  'header-lines': ['headings'],
} satisfies Omit<LayoutDefinition, 'records'>

const invoice = read([
  ['Empresa', 'contract.contract-number'],
  ['Unidade', null],
  ['NomeUnidade', null],
  ['Credencial', 'benefit.card-number'],
  ['Matricula', 'registration.employee-id'],
  ['CPF', 'person.tax-id'],
  ['Beneficiario', 'person.name', { required: true }],
  ['NomeMae', null],
  ['Nascimento', 'person.date-of-birth', day],
  ['Inicio', 'benefit.start-date', day],
  ['Idade', null],
  ['Parentesco', null],
  ['Plano', 'plan.carrier-plan-code'],
  ['AC', null],
  ['Mensalidade', null],
  ['Adicional', null],
  ['TaxaAdesao', null],
  ['Desconto', null],
  ['Cobrado', 'invoice.amount', { format: 'money:cents', required: true }],
])

const roster = read([
  ['Empresa', 'contract.contract-number'],
  ['Cpf', 'primary.tax-id'],
  ['Usuario', 'person.name', { required: true }],
  ['Nm_Social', null],
  ['Estado_Civil', null],
  ['Data_Nascimento', 'person.date-of-birth', day],
  ['Sexo', null],
  ['Identidade', null],
  ['Orgao_Exp', null],
  ['Uf_Orgao', null],
  ['Uf_Endereco', null],
  ['Cidade', null],
  ['Tipo_Logradouro', null],
  ['Logradouro', null],
  ['Numero', null],
  ['Complemento', null],
  ['Bairro', null],
  ['Cep', null],
  ['Fone', null],
  ['Celular', null],
  ['Plano', 'plan.carrier-plan-code'],
  ['Matricula', 'registration.employee-id'],
  ['Filial', null],
  ['Codigo_Usuario', 'benefit.card-number'],
  ['Dt_Admissao', 'registration.admission-date', day],
  ['Codigo_Congenere', null],
  ['Nm_Congenere', null],
  ['Tipo_Usuario', null],
  ['Nome_Mae', 'person.mothers-name'],
  ['Pis', null],
  ['Cns', null],
  ['Ctps', null],
  ['Serie_Ctps', null],
  ['Data_Processamento', null],
  ['Data_Cadastro', null],
  ['Unidade', null],
  ['Descricao_Unidade', null],
  ['Cpf_Dependente', 'person.tax-id'],
  ['Grau_Parentesco', null],
  ['Dt_Casamento', null],
  ['Nu_Registro_Pessoa_Natural', null],
  ['Cd_Tabela', null],
  ['Empresa_Utilizacao', null],
  ['Dt_Cancelamento', 'benefit.end-date', day],
])

/** Hapvida's invoice and roster. Their separator is that of the headings. */
export const hapvida: Readonly<Record<'hapvida-invoice' | 'hapvida-roster', LayoutInput>> = {
  'hapvida-invoice': {
    name: 'Hapvida: fatura em CSV',
    direction: 'invoice',
    source: 'Hapvida’s invoice, 19 columns, amounts in cents: headings as public code that reads it has them.',
    definition: {
      ...file,
      'stop-at': 'Historico de Beneficiarios de Empresa com Vigencia Retroativa',
      records: [{ name: 'person', columns: invoice }],
    },
  },
  'hapvida-roster': {
    name: 'Hapvida: cadastro em CSV',
    direction: 'roster',
    source:
      'A roster of 44 columns as public code that reads it has them, not verified on a file. The codes of Grau_Parentesco and Tipo_Usuario were not ' +
      'found: fill them in a copy.',
    definition: { ...file, records: [{ name: 'person', columns: roster }] },
  },
}
