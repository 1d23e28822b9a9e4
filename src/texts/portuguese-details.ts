/* The codes in `details`, in Brazilian Portuguese. `{campo}` is replaced by the term of the field. A code without a sentence does not compile. */
import type { DetailCode, EnrollmentStatus } from '../domain/enums.ts'

export const PORTUGUESE_DETAILS: Readonly<Record<DetailCode, string>> = {
  missing: 'Preencha o campo “{campo}”.',
  invalid: 'O campo “{campo}” não é válido.',
  unknown: 'O campo “{campo}” não existe ou se refere a algo que não existe.',
  repeated: 'O campo “{campo}” aparece mais de uma vez. Deixe só uma ocorrência.',
  'too-few': 'O lote está vazio. Informe ao menos uma pessoa.',
  'too-many': 'O lote tem mais de 10.000 itens. Divida-o em partes.',
  'too-many-columns': 'O cabeçalho tem colunas demais. Exclua as que não são necessárias.',
  'too-many-values': 'O conteúdo da chamada tem dados demais. Divida-o em partes.',
  'malformed-json': 'O conteúdo da chamada está malformado e não pôde ser lido.',
  'illegal-transition': 'A movimentação não pode passar para a situação pedida.',
  'invalid-name': 'O campo “{campo}” tem caracteres invisíveis que não são aceitos em nomes. Digite o nome de novo.',
  'staging-only': 'O campo “{campo}” só existe no ambiente de homologação. Retire-o da chamada.',
  'not-applicable': 'O campo “{campo}” não se aplica a esta movimentação ou situação. Retire-o da chamada.',
  'not-changeable':
    'O campo “{campo}” não pode ser alterado na resposta à pendência. Cancele a movimentação e envie outra.',
  'dependent-type-not-allowed': 'Um produto da movimentação não aceita dependentes com este parentesco.',
  'before-start-date': 'A data do campo “{campo}” é anterior ao início da vigência. Informe uma data posterior.',
  'date-out-of-range':
    'A data do campo “{campo}” fica a mais de dois anos de hoje ou antes de 1900. Confira-a ou confirme.',
  'primary-not-kept':
    'O dependente só mantém o plano se o titular também o mantiver. Retire a extensão ou mantenha antes o titular.',
  'nothing-to-alter': 'A alteração não muda nada. Informe ao menos um dado novo.',
  'same-company': 'A pessoa já está nesta empresa. Informe outra empresa.',
  'unknown-product': 'A empresa de destino não oferece este produto. Confira o produto.',
  'product-type-mismatch': 'A pessoa não tem, como titular, um benefício ativo do tipo deste produto.',
  'ambiguous-product-type':
    'A pessoa tem mais de um benefício ativo do tipo deste produto. Exclua um deles antes da troca.',
  'no-equivalent-product': 'A nova empresa não tem um produto de mesmo tipo e nome. Indique o novo produto.',
  'already-enrolled': 'A pessoa já tem este produto, ativo ou em andamento.',
  'already-in-use': 'Outra pessoa da empresa já tem este CPF. Confira o CPF.',
  'not-company-tax-id': 'O identificador da empresa e o CNPJ são de empresas diferentes. Envie só um deles.',
  'before-reference-period-start': 'O fim da competência é anterior ao início. Corrija uma das datas.',
  empty: 'O arquivo está vazio. Envie um arquivo com conteúdo.',
  'too-many-endpoints': 'O limite de endereços de avisos foi atingido. Exclua um deles ou altere um existente.',
  'duplicate-url': 'Já existe um endereço de avisos com esta URL. Altere o existente.',
  'https-required': 'Em produção, o endereço de avisos deve começar com https://.',
  'credentials-not-allowed': 'O endereço de avisos não pode conter usuário e senha. Retire-os.',
  'port-not-allowed': 'A porta do endereço de avisos não é aceita. Use 80, 443 ou uma a partir de 1024.',
  'private-address': 'O endereço de avisos não é público. Use um endereço que possa ser acessado pela internet.',
}

/** What is not a field of the API, but stands in `field` of a detail. */
export const PORTUGUESE_PLACES: Readonly<Record<string, string>> = {
  body: 'Conteúdo da chamada',
  header: 'Cabeçalho do arquivo',
  'Idempotency-Key': 'Chave de repetição',
  path: 'Endereço da chamada',
}

export const PORTUGUESE_STATUSES: Readonly<Record<EnrollmentStatus, string>> = {
  scheduled: 'programada',
  created: 'criada',
  'broker-processing': 'em análise na corretora',
  'carrier-processing': 'em processamento na operadora',
  'pending-documents': 'aguardando documentos',
  'pending-correction': 'aguardando correção',
  completed: 'concluída',
  rejected: 'rejeitada',
  cancelled: 'cancelada',
}

/** Types of JSON Schema. */
export const JSON_TYPES: Readonly<Record<string, string>> = {
  array: 'uma lista',
  boolean: 'true ou false',
  integer: 'um número inteiro',
  null: 'null',
  number: 'um número',
  object: 'um objeto',
  string: 'um texto',
}

/** Files that are sent instead of CSV. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  'a PDF': 'um PDF',
  'an Excel workbook (.xls)': 'uma planilha do Excel (.xls)',
  'an Excel workbook (.xlsx) or another ZIP file': 'uma planilha do Excel (.xlsx) ou outro arquivo ZIP',
  'compressed with gzip': 'comprimido com gzip',
  'UTF-16 text': 'um texto em UTF-16',
}
