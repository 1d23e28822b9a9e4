/* The glossary of the service itself: access, lists, errors, imports. See glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const SERVICE_TERMS = {
  accepted: {
    term: 'Aceitas',
    meaning: 'Linhas do arquivo que foram aceitas.',
    en: 'Of the lines, those that were stored or done; in a dry run those that would be.',
  },
  action: {
    term: 'Ação',
    meaning: 'O que foi feito, no registro de auditoria.',
    en: 'What was done, such as `client.created`.',
  },
  actor: {
    term: 'Autor da ação',
    meaning: 'Quem agiu: um cliente, um operador ou o próprio serviço.',
    en: 'Who acted: in the history `partner`, `operator`, `resolution`, `clock` or `service`, in the audit a client id or one of the last three.',
  },
  'actor-id': {
    term: 'Identificador do autor',
    meaning: 'Cliente ou operador que agiu; só para operadores.',
    en: 'Client id of the actor; only in the operator API.',
  },
  address: {
    term: 'Endereço de rede',
    meaning: 'Endereço de rede (IP) de quem chamou o serviço.',
    en: 'Of an audit row: the network address of the caller.',
  },
  allowed: {
    term: 'Valores aceitos',
    meaning: 'Valores que o campo aceita, ou situações para as quais a movimentação pode ir.',
    en: 'The values of a closed set, or the statuses that the enrollment can go to now.',
  },
  'api-version': {
    term: 'Versão da interface',
    meaning: 'Versão da interface do serviço.',
    en: 'Version of the interface: `info.version` of `/openapi.json`.',
  },
  assignee: {
    term: 'Responsável',
    meaning: 'Operador que cuida da movimentação.',
    en: 'Client id of the operator who works on the enrollment; as a filter also `none`.',
  },
  at: { term: 'Quando', meaning: 'Momento do registro, em UTC.', en: 'When it happened, UTC with milliseconds.' },
  author: {
    term: 'Autor',
    meaning: 'Operador que escreveu a anotação ou enviou as decisões.',
    en: 'Client id of the operator who wrote the note, or sent the decisions.',
  },
  'client-id': {
    term: 'Identificador do cliente',
    meaning: 'Identifica o sistema que chama o serviço, ou um operador.',
    en: 'The id of a client of a partner, or of an operator.',
  },
  code: {
    term: 'Código',
    meaning: 'Código fixo do erro ou do motivo da recusa; as páginas de erros e de recusas explicam cada um.',
    en: 'The code of the error, of a detail or of an offense; it does not depend on the language.',
  },
  column: {
    term: 'Coluna',
    meaning: 'Posição do primeiro caractere errado na linha.',
    en: 'Column of the first character that is not JSON, from 1, where it is known.',
  },
  'content-type': {
    term: 'Tipo de conteúdo',
    meaning: 'Formato do arquivo, reconhecido pelo conteúdo.',
    en: 'Type of the file, recognized from its content.',
  },
  'created-at': { term: 'Criado em', meaning: 'Momento da criação, em UTC.', en: 'When it was created, UTC.' },
  'current-page': { term: 'Página atual', meaning: 'Número da página mostrada.', en: 'The number of this page.' },
  data: {
    term: 'Dados',
    meaning: 'Dados do evento, sem CPF e sem nome; na resposta a uma pendência, os valores corrigidos.',
    en: 'Of an event: ids and a status, never a CPF or a name. Of an answer: the corrected values.',
  },
  details: {
    term: 'Detalhes',
    meaning: 'Campos com problema, cada um com o seu código.',
    en: 'The invalid fields or parameters of an error, up to 20.',
  },
  'dry-run': {
    term: 'Simulação',
    meaning: 'Se a chamada só confere os dados, sem gravar nada.',
    en: '`true` checks and reports only; nothing is stored.',
  },
  environment: { term: 'Ambiente', meaning: 'Homologação (staging) ou produção.', en: '`staging` or `production`.' },
  error: {
    term: 'Erro',
    meaning: 'O erro, em uma frase em inglês que não muda.',
    en: 'The error, in one sentence that does not depend on the language.',
  },
  errors: {
    term: 'Linhas com erro',
    meaning: 'Primeiras linhas recusadas da importação, com os motivos.',
    en: 'Rejected lines of an import: the first 1,000; all of them at `.../error`.',
  },
  expires: {
    term: 'Validade',
    meaning: 'Parte do endereço de envio de documentos.',
    en: 'Part of `upload-url`: when it expires.',
  },
  field: {
    term: 'Campo',
    meaning: 'Campo ou parâmetro a que o código se refere.',
    en: 'The path of a field, or the name of a parameter or column, that the item is about.',
  },
  filter: { term: 'Filtro', meaning: 'Filtro da lista de beneficiários por CPF, centro de custo ou matrícula.' },
  'finished-at': {
    term: 'Concluído em',
    meaning: 'Momento em que o pedido ou a importação terminou.',
    en: 'When the request or the import finished; null while it runs.',
  },
  from: {
    term: 'Situação atual',
    meaning: 'Situação em que a movimentação está.',
    en: 'The status that the enrollment has.',
  },
  'from-dt': {
    term: 'De',
    meaning: 'Filtro: primeiro dia, incluído.',
    en: 'Filter: the first day (America/Sao_Paulo), included. May be sent alone.',
  },
  id: { term: 'Identificador', meaning: 'Identifica o objeto.', en: 'The id of the object.' },
  'idempotency-key': { term: 'Chave de repetição', meaning: 'Permite repetir a chamada sem duplicar a movimentação.' },
  'import-id': {
    term: 'Identificador da importação',
    meaning: 'Identifica a importação.',
    en: 'The id of an import; the client may choose it, once.',
  },
  'include-inactive': {
    term: 'Incluir inativos',
    meaning: 'Filtro: mostra também benefícios pendentes ou encerrados.',
    en: '`true`: also benefits that are pending or have ended.',
  },
  index: {
    term: 'Posição no lote',
    meaning: 'Posição da pessoa no lote, a partir de 0.',
    en: 'Position of the member in the batch, from 0.',
  },
  items: {
    term: 'Itens',
    meaning: 'Movimentações da chamada, cada uma com a nova situação.',
    en: 'The enrollments of the call, each with its transition.',
  },
  'items-per-page': {
    term: 'Itens por página',
    meaning: 'Quantidade de itens por página, de 1 a 500.',
    en: 'Items per page, 1 to 500.',
  },
  keys: {
    term: 'Chaves',
    meaning: 'Chaves públicas que conferem os tokens.',
    en: 'The public keys that verify access tokens.',
  },
  language: {
    term: 'Idioma',
    meaning: 'Idioma dos nomes das colunas do modelo.',
    en: 'Language of the column names of a template.',
  },
  line: {
    term: 'Linha',
    meaning: 'Linha do arquivo ou do texto com o problema.',
    en: 'The line in the file, or of the first character that is not JSON, from 1.',
  },
  lines: {
    term: 'Linhas',
    meaning: 'Quantidade de linhas lidas, sem o cabeçalho.',
    en: 'The number of lines, without the header and blank ones.',
  },
  links: {
    term: 'Atalhos',
    meaning: 'Endereços das demais partes do serviço.',
    en: 'Paths of other parts of the service, by what is there.',
  },
  message: {
    term: 'Mensagem',
    meaning: 'Frase que explica o código, em português quando a chamada pede; na pendência, o que fazer.',
    en: 'Of a detail or an offense: a sentence for a person. Of a pending item: what the partner has to do.',
  },
  'next-page': {
    term: 'Próxima página',
    meaning: 'Número da próxima página, se houver.',
    en: 'The number of the next page; null: this is the last.',
  },
  'notes-count': { term: 'Quantidade de anotações', meaning: 'Quantas anotações os operadores fizeram.' },
  'offense-details': {
    term: 'Detalhes dos motivos',
    meaning: 'Motivos da recusa, cada um com o seu campo e a sua mensagem.',
    en: 'The offenses in the same order, each with its field; one that concerns several products comes once for each, up to 5.',
  },
  offenses: {
    term: 'Motivos da recusa',
    meaning: 'Códigos dos motivos pelos quais a pessoa ou a linha foi recusada.',
    en: 'The codes of the reasons why the member, the line or the part was rejected.',
  },
  page: { term: 'Página', meaning: 'Número da página, a partir de 1.', en: 'Page number, from 1.' },
  pagination: {
    term: 'Paginação',
    meaning: 'Página atual, total de páginas e de itens.',
    en: 'The current page and the totals of a list.',
  },
  prefer: {
    term: 'Preferência',
    meaning:
      'Com handling=lenient, as pessoas sem problema são aceitas e as demais, recusadas. Com wait=N, a resposta espera até N segundos pelo ' +
      'fim do processamento.',
    en: '`handling=lenient` accepts the members without offenses; `wait=N` waits up to N seconds for the end of a job (RFC 7240).',
  },
  'previous-page': {
    term: 'Página anterior',
    meaning: 'Número da página anterior, se houver.',
    en: 'The number of the page before; null: there is none.',
  },
  q: {
    term: 'Busca',
    meaning: 'Filtro: parte do nome, do CPF, do CNPJ, do e-mail ou da matrícula.',
    en: 'A part of the name, of the tax id, or of what else the list says, without case and accents.',
  },
  rejected: {
    term: 'Recusadas',
    meaning: 'Quantidade de linhas recusadas.',
    en: 'The number of lines that were rejected.',
  },
  'request-trace-id': {
    term: 'Identificador da chamada',
    meaning: 'Identifica a chamada; informe ao pedir ajuda.',
    en: 'The `X-Request-Id` of the response; quote it when asking for help.',
  },
  resolution: {
    term: 'Resolução imediata',
    meaning: 'Só na homologação: aprova ou rejeita a movimentação na hora.',
    en: 'Staging only: resolves the movement at once. 400 in production.',
  },
  result: {
    term: 'Resultado',
    meaning: 'O objeto ou a lista da resposta; no lote, as pessoas recusadas.',
    en: 'The object or the list of the response; of a batch the members that were rejected.',
  },
  role: {
    term: 'Função',
    meaning: 'O que o operador pode fazer: admin, analyst, finance ou auditor.',
    en: 'The role of an operator: `admin`, `analyst`, `finance` or `auditor`.',
  },
  service: { term: 'Serviço', meaning: 'Nome do serviço.', en: 'The name of the service.' },
  signature: {
    term: 'Assinatura',
    meaning: 'Parte do endereço de envio de documentos.',
    en: 'Part of `upload-url`: it shows that the address was not changed.',
  },
  size: { term: 'Tamanho', meaning: 'Tamanho do arquivo, em bytes.', en: 'The size of the file in bytes.' },
  sort: { term: 'Ordem', meaning: 'Ordem da lista.' },
  target: {
    term: 'Objeto',
    meaning: 'Identificador do objeto que foi alterado.',
    en: 'Of an audit row: the id of the object that was written.',
  },
  text: { term: 'Texto', meaning: 'Texto da anotação.', en: 'Text of the note, 1 to 2,000 characters.' },
  timestamp: { term: 'Momento', meaning: 'Momento do evento, em UTC.', en: 'When the event happened, UTC.' },
  to: {
    term: 'Situação pedida',
    meaning: 'Situação para a qual a movimentação iria.',
    en: 'The status that was sent.',
  },
  'total-items': {
    term: 'Total de itens',
    meaning: 'Quantidade de itens em todas as páginas.',
    en: 'The number of items on all pages.',
  },
  'total-pages': { term: 'Total de páginas', meaning: 'Quantidade de páginas.', en: 'The number of pages.' },
  type: {
    term: 'Tipo',
    meaning: 'Tipo do benefício (titular ou dependente), do arquivo ou do evento.',
    en: 'Of a benefit: `primary` or `dependent`. Of a file of an invoice or of an event: its type.',
  },
  'until-dt': {
    term: 'Até',
    meaning: 'Filtro: último dia, incluído.',
    en: 'Filter: the last day, included; the same as `from-dt` asks for one day. May be sent alone.',
  },
  'updated-since': { term: 'Atualizado desde', meaning: 'Filtro: só o que mudou a partir deste momento.' },
  'upload-url': { term: 'Endereço de envio', meaning: 'Endereço que recebe um documento, por 30 minutos.' },
  value: {
    term: 'Valor enviado',
    meaning: 'Valor que foi enviado, quando não pode ser dado pessoal.',
    en: 'Of a detail: the value as sent, where it cannot be personal data.',
  },
  version: { term: 'Versão', meaning: 'Versão do programa.', en: 'Version of the program.' },
  warning: {
    term: 'Aviso',
    meaning: 'Código do aviso, que não impede a movimentação.',
    en: 'The code of a warning; it does not reject anything.',
  },
  warnings: {
    term: 'Avisos',
    meaning: 'Avisos que não impedem a movimentação.',
    en: 'Warnings of an inclusion or an import; absent when there are none.',
  },
  'client-name': { term: 'Nome do cliente', meaning: 'Nome do sistema do parceiro.', en: 'The name of the client.' },
  secrets: {
    term: 'Segredos em uso',
    meaning: 'Quando cada segredo em uso foi criado.',
    en: 'The valid secrets, the oldest first.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
