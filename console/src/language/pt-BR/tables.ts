import type { tables as english } from '../en/tables.ts'
import type { TextsOf } from '../texts-of.ts'

export const tables: TextsOf<typeof english> = {
  line: 'Linha',
  reasons: 'O que está errado',
  reasonsOf: 'Linha {{line}}',
  errorTable: 'Tabela das linhas rejeitadas',
  allColumns: 'Mostrar todas as colunas',
  notSplit: 'Não é possível separar as células desta linha. Salve as linhas rejeitadas e corrija-a no arquivo.',
  mapping: 'Colunas do arquivo',
  mappingHelp: 'Diga uma vez o que cada título da empresa significa: fica lembrado para os próximos arquivos dela.',
  headerRow: 'Linha do cabeçalho',
  columnOfFile: 'Coluna do arquivo',
  samples: 'Exemplos',
  field: 'Campo',
  fieldOf: 'Campo de “{{heading}}”',
  ignored: 'Ignorada',
  ignore: 'Ignorar “{{heading}}”',
  noField: 'Nenhum campo com esse nome',
  stillMissing: 'Colunas que ainda faltam:',
  words: 'Palavras do arquivo',
  wordsHelp: 'Valores que os campos não têm. O que você não indicar pode ser corrigido linha por linha.',
  inLines_one: '{{count}} linha',
  inLines_other: '{{count}} linhas',
  valueOf: 'Valor de “{{word}}”',
  saveMapping: 'Confirmar e lembrar',
  remembered: 'As colunas ficaram lembradas.',
  cancelMapping: 'Voltar',
  editMapping: 'Colunas do arquivo',
  chooseCompany:
    'Escolha a empresa acima: ela abre as colunas deste arquivo, para dizer uma vez o que cada uma é. Fica lembrado para os próximos arquivos da empresa.',
}
