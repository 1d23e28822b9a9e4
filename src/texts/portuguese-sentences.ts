/* The English sentences in `message` of details, in Brazilian Portuguese. */
import type { EnrollmentStatus } from '../domain/enums.ts'
import { FIELD_FORMATS } from '../domain/field-formats.ts'
import { FILE_TYPES, JSON_TYPES, PORTUGUESE_STATUSES } from './portuguese-details.ts'

type Translation = (...groups: string[]) => string

const named = (table: Readonly<Record<string, string>>, key = ''): string =>
  (Object.hasOwn(table, key) ? table[key] : key) ?? key
const status = (value = ''): string => PORTUGUESE_STATUSES[value as EnrollmentStatus] ?? value
const statuses = (list = ''): string => list.split(', ').map(status).join(', ')
const formatNamed = (name = ''): string =>
  Object.values(FIELD_FORMATS).find(({ english }) => english === name)?.portuguese ?? name
const types = (list = ''): string =>
  list
    .split(' or ')
    .map((type) => named(JSON_TYPES, type))
    .join(' ou ')

const sentences: readonly (readonly [RegExp, Translation])[] = [
  [/^Did you mean (.+)\?$/, (name) => `Você quis dizer ${name}?`],
  [
    /^In a path, a CNPJ has 14 characters without punctuation, or %2F for its slash\.$/,
    () => 'No endereço, o CNPJ vai com 14 caracteres sem pontuação, ou com %2F no lugar da barra.',
  ],
  [/^Send one of: (.+)\.$/, (list) => `Valores aceitos: ${list}.`],
  [/^A program is not accepted: /, () => 'Um programa não é aceito: envie o próprio documento.'],
  [/^This operation takes no query parameters\.$/, () => 'Esta operação não tem parâmetros de consulta.'],
  [/^Must be >= (\S+)\.$/, (limit) => `Informe um valor maior ou igual a ${limit}.`],
  [/^Must be <= (\S+)\.$/, (limit) => `Informe um valor menor ou igual a ${limit}.`],
  [/^Must be (?:either )?([a-z]+(?: or [a-z]+)*)\.$/, (list) => `Informe ${types(list)}.`],
  [/^Must not have fewer than (\d+) characters\.$/, (limit) => `Quantidade mínima de caracteres: ${limit}.`],
  [/^Must not have more than (\d+) characters\.$/, (limit) => `Quantidade máxima de caracteres: ${limit}.`],
  [/^Must not have fewer than (\d+) items\.$/, (limit) => `Quantidade mínima de itens: ${limit}.`],
  [/^Must not have more than (\d+) items\.$/, (limit) => `Quantidade máxima de itens: ${limit}.`],
  [
    /^In scientific notation it has lost digits: /,
    () => 'Ele está em notação científica e perdeu dígitos: envie todos. Na planilha, formate a coluna como texto.',
  ],
  [/^Must be (an? .+)\.$/, (name) => `Informe ${formatNamed(name)}.`],
  [/^([a-z-]+\[\d+\][a-z.-]*): (.+)$/s, (where, rule) => `Em ${where}: ${itemRule(rule)}`],
  [/^Not after today\.$/, () => 'A data não pode ser posterior a hoje.'],
  [
    /^The body is not JSON at line (\d+), column (\d+)\.$/,
    (line, column) => `O erro está na linha ${line}, coluna ${column}.`,
  ],
  [/^The body is not JSON\.$/, () => 'O texto não é JSON.'],
  [/^The body is not UTF-8\.$/, () => 'O texto deve estar em UTF-8.'],
  [/^The body is nested deeper than (\d+)\.$/, (limit) => `O conteúdo tem mais de ${limit} níveis.`],
  [/^The body holds (?:NUL|a lone surrogate)\.$/, () => 'O conteúdo tem caracteres que não são aceitos.'],
  [/^The body has a key __proto__\.$/, () => 'O conteúdo tem um campo __proto__, que não é aceito.'],
  [/^Enrollment is already ([a-z-]+), which is final$/, (from) => `Ela já está ${status(from)}, e isso é definitivo.`],
  [
    /^Enrollment is already ([a-z-]+)(?:; it can become ([a-z, -]+))?$/,
    (from, to) => `Ela já está ${status(from)}.${next(to)}`,
  ],
  [
    /^Enrollment is ([a-z-]+) and cannot become ([a-z-]+)(?:; it can become ([a-z, -]+))?$/,
    (from, to, list) => `Ela está ${status(from)} e não pode ficar ${status(to)}.${next(list)}`,
  ],
  [/^The first line is JSON: /, () => 'A primeira linha é JSON: envie o arquivo como NDJSON (application/x-ndjson).'],
  [
    /^The first line is not a line of CSV: /,
    () => 'A primeira linha não é CSV: há aspas abertas ou no meio de uma célula.',
  ],
  [
    /^The column (\S+) is there twice\. (.+)$/s,
    (name, found) => `A coluna ${name} aparece duas vezes. ${columnsFound(found)}`,
  ],
  [
    /^The first line has no column (\S+) \(([^)]+)\)\. (.+)$/s,
    (name, header, found) => `A primeira linha não tem a coluna “${header}” (${name}). ${columnsFound(found)}`,
  ],
  [
    /^The header has enrollment-id and status, /,
    () => 'O cabeçalho tem enrollment-id e status e pode ter card-number, start-date, end-date e reason.',
  ],
  [
    /^The header has more than ([\d,]+) columns or ([\d,]+) characters\.$/,
    (columns, characters) =>
      `O cabeçalho tem mais de ${columns} colunas ou ${characters?.replace(',', '.')} caracteres.`,
  ],
  [
    /^The file is (.+?)\. Save it as CSV, /,
    (type) =>
      `O arquivo é ${named(FILE_TYPES, type)}. Salve-o como CSV, por exemplo “CSV UTF-8” no Excel, e envie de novo.`,
  ],
  [
    /^Send an absolute URL of at most 2,000 characters, /,
    () => 'Informe o endereço completo, com até 2.000 caracteres, como https://folha.exemplo.com.br/avisos.',
  ],
]

/** What an item of a list must be. */
function itemRule(rule = ''): string {
  const [, list] = /^One of (.+)\.$/s.exec(rule) ?? []
  if (list !== undefined) return `valores aceitos: ${list.replaceAll('`', '')}.`
  return rule.startsWith('An object')
    ? 'informe um objeto com document-id e document-type.'
    : 'informe um texto de até 200 caracteres.'
}

function next(list: string | undefined): string {
  return list === undefined ? '' : ` Situações possíveis: ${statuses(list)}.`
}

function columnsFound(found = ''): string {
  const [, names] = /^Columns found: (.*)\.$/s.exec(found) ?? []
  if (names !== undefined) return `Colunas encontradas: ${names}.`
  return found === 'It is empty.' ? 'Ela está vazia.' : 'Ela parece ter dados em vez de nomes de colunas.'
}

/** The sentence in Portuguese; null when it adds nothing to the sentence of the code. */
export function translateSentence(sentence: string): string | null {
  for (const [pattern, translation] of sentences) {
    const match = pattern.exec(sentence)
    if (match !== null) return translation(...match.slice(1))
  }
  return null
}
