/* The glossary of movements, benefits and companies: see glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

const extension = 'Lei 9.656/1998, arts. 30 e 31; RN ANS 488/2022 (antes RN 279/2011)'
const cnpj = 'IN RFB 2.229/2024'

export const MOVEMENT_TERMS = {
  'allowed-dependent-types': {
    term: 'Parentescos aceitos',
    meaning: 'Parentescos que o produto aceita para dependentes.',
    en: 'The dependent types that the product allows.',
    norm: 'RN ANS 557/2022',
  },
  'allowed-start-options': {
    term: 'Opções de início aceitas',
    meaning: 'Formas de início da vigência que o produto aceita.',
    en: 'The start options that the product allows.',
  },
  'alteration-data': {
    term: 'Dados da alteração',
    meaning: 'O que muda: dados cadastrais, plano ou empresa.',
    en: 'What the alteration changes: registration data, the plan or the company.',
  },
  asked: {
    term: 'Dados pedidos',
    meaning: 'Dados enviados no pedido da movimentação.',
    en: 'The data of the request, in the review of a movement.',
  },
  benefit: {
    term: 'Benefício',
    meaning: 'Benefício de uma pessoa em um produto.',
    en: 'The benefit of a person in a product.',
  },
  'benefit-id': {
    term: 'Identificador do benefício',
    meaning: 'Identifica o benefício. Na troca de plano ou de empresa, é o do benefício antigo.',
    en: 'The id of a benefit; in a plan or company change that of the old one.',
  },
  benefits: { term: 'Benefícios', meaning: 'Benefícios da pessoa.', en: 'The benefits of the member.' },
  'billing-day': {
    term: 'Dia do faturamento',
    meaning: 'Dia do mês em que começa um período de faturamento; sem ele, o dia 1º.',
    en: 'Day of the month on which a billing period starts; null: 1.',
  },
  confirm: {
    term: 'Datas confirmadas',
    meaning: 'Se as datas enviadas pelo operador valem mesmo a mais de dois anos de hoje.',
    en: 'The dates that the operator sends are meant, although more than two years from today.',
  },
  'card-number': {
    term: 'Número da carteirinha',
    meaning: 'Número da carteirinha que a operadora emitiu.',
    en: 'The number of the card that the carrier issued.',
  },
  'carrier-name': {
    term: 'Operadora',
    meaning: 'Nome da operadora ou seguradora do produto.',
    en: 'The name of the carrier.',
    norm: 'Lei 9.656/1998, art. 1º',
  },
  comment: {
    term: 'Comentário',
    meaning: 'Comentário para o operador na resposta a uma pendência.',
    en: 'A comment for the operator in an answer; the reason of the history item.',
  },
  'company-id': {
    term: 'Identificador da empresa',
    meaning: 'Identifica a empresa no serviço; pode substituir o CNPJ.',
    en: 'The id of the company; in an alteration instead of `company-tax-id` or equal to it.',
  },
  'company-tax-id': {
    term: 'CNPJ da empresa',
    meaning: 'CNPJ da empresa, numérico ou alfanumérico, com ou sem pontuação.',
    en: 'CNPJ of the company, numeric or alphanumeric; formatted or not in requests, unformatted in responses.',
    norm: cnpj,
  },
  'company-tax-ids': {
    term: 'CNPJs das empresas',
    meaning: 'Empresas que o cliente pode acessar.',
    en: 'CNPJs of the companies that the client is entitled to.',
    norm: cnpj,
  },
  'cut-off-day': {
    term: 'Dia de corte',
    meaning: 'Depois deste dia do mês, a inclusão entra um período de faturamento mais tarde; sem ele, não há corte.',
    en: 'After this day of the month an inclusion starts a billing period later; null: no cut-off.',
  },
  'destination-company-tax-id': {
    term: 'CNPJ da empresa de destino',
    meaning: 'Empresa para a qual a pessoa vai, na troca de empresa.',
    en: 'CNPJ of the company to which a company change moves the benefit.',
    norm: cnpj,
  },
  difference: { term: 'Diferenças', meaning: 'O que a conclusão da movimentação muda, campo a campo.' },
  'document-id': {
    term: 'Identificador do documento',
    meaning: 'Identifica um documento enviado antes da movimentação.',
    en: 'The id of a document that was uploaded before.',
  },
  'document-type': {
    term: 'Tipo de documento',
    meaning: 'O que o documento é, como certidão de casamento.',
    en: 'What the document is, such as `marriage-certificate`.',
  },
  documents: {
    term: 'Documentos',
    meaning: 'Documentos da movimentação, enviados antes; cada um serve a uma movimentação.',
    en: 'Documents, each with `document-id` and `document-type`: uploaded before, each for one movement.',
  },
  'due-before': {
    term: 'Prazo anterior a',
    meaning: 'Filtro: só movimentações com prazo antes deste dia.',
    en: 'Filter: only movements with a `due-date` before this day.',
  },
  'due-date': {
    term: 'Vencimento',
    meaning: 'Vencimento da fatura. Na fila de movimentações, prazo para informar a operadora.',
    en: 'Of an invoice: the day of payment. Of a movement in the queue: the day by which the carrier must know of it.',
    norm: 'Exclusão a pedido do beneficiário: RN ANS 561/2022',
  },
  'end-date': {
    term: 'Fim da vigência',
    meaning: 'Último dia de cobertura do benefício.',
    en: 'The last day covered: past, today or future.',
  },
  'enrollment-id': {
    term: 'Identificador da movimentação',
    meaning: 'Identifica a movimentação de uma pessoa em um produto.',
    en: 'The id of an enrollment: the movement of one person in one product.',
  },
  'enrollment-ids': {
    term: 'Identificadores das movimentações',
    meaning: 'Movimentações a que a chamada ou o erro se refere.',
    en: 'Ids of the enrollments that the call or the error is about.',
  },
  'enrollment-status': {
    term: 'Situação da movimentação',
    meaning: 'Situação atual da movimentação.',
    en: 'The current status of the enrollment.',
  },
  'enrollment-summary': {
    term: 'Resumo das movimentações',
    meaning: 'Quantas movimentações do pedido há em cada situação.',
  },
  'enrollment-type': {
    term: 'Tipo de movimentação',
    meaning: 'Inclusão, exclusão ou alteração.',
    en: '`inclusion`, `exclusion` or `alteration`.',
  },
  'exclusion-details': {
    term: 'Dados da exclusão',
    meaning: 'Data, motivo e demais dados da exclusão.',
    en: 'The date, the reason and the other data of an exclusion.',
    norm: 'RN ANS 561/2022',
  },
  'exclusion-reason': {
    term: 'Motivo da exclusão',
    meaning: 'Por que a pessoa sai, como demissão, aposentadoria ou falecimento.',
    en: 'Why the person leaves, such as `dismissal`, `retirement`, `death` or `requested-by-beneficiary`.',
    norm: `A pedido: RN ANS 561/2022; demissão e aposentadoria: ${extension}; portabilidade: RN ANS 438/2018`,
  },
  'exclusion-reason-details': {
    term: 'Detalhes do motivo',
    meaning: 'Explicação do motivo; obrigatória para “outro”.',
    en: 'Explanation of the reason. Required for `other`.',
  },
  'extension-plan': {
    term: 'Manutenção do plano (extensão)',
    meaning: 'Se a pessoa mantém o plano depois de demissão sem justa causa ou aposentadoria.',
    en: 'Whether the cover is kept after `dismissal` or `retirement`, until the operator ends it.',
    norm: extension,
  },
  family: {
    term: 'Família',
    meaning: 'O titular e os dependentes dele na empresa.',
    en: 'The primary and the dependents in the company.',
  },
  file: {
    term: 'Arquivo',
    meaning: 'O arquivo do documento, no envio por formulário.',
    en: 'The file, in an upload as a form.',
  },
  history: { term: 'Histórico', meaning: 'Todas as situações da movimentação, da mais antiga à mais recente.' },
  kind: {
    term: 'Tipo de pendência',
    meaning: 'Se falta um documento ou se um campo está errado.',
    en: 'Of a pending item: `document` (one is missing) or `field` (one is wrong).',
  },
  'last-updated-at': {
    term: 'Atualizado em',
    meaning: 'Momento da última mudança da movimentação.',
    en: 'When the enrollment last changed.',
  },
  'member-id': {
    term: 'Identificador do beneficiário',
    meaning: 'Identifica a pessoa; não muda quando o CPF é corrigido.',
    en: 'The id of a member; it does not change when the CPF is corrected.',
  },
  members: {
    term: 'Beneficiários',
    meaning: 'Pessoas de um lote de inclusões ou exclusões.',
    en: 'The persons of a batch, 1 to 10,000.',
  },
  new: {
    term: 'Valor novo',
    meaning: 'Valor do campo depois da conclusão.',
    en: 'The value after the movement is completed.',
  },
  'new-company-tax-id': {
    term: 'CNPJ da nova empresa',
    meaning: 'Empresa para a qual a pessoa muda, com os benefícios de titular.',
    norm: cnpj,
  },
  'new-product-id': { term: 'Novo produto', meaning: 'Produto para o qual o titular muda, do mesmo tipo do atual.' },
  old: {
    term: 'Valor atual',
    meaning: 'Valor do campo antes da conclusão.',
    en: 'The value before the movement is completed.',
  },
  'pending-items': {
    term: 'Pendências',
    meaning: 'O que falta enviar ou corrigir para a movimentação seguir.',
    en: 'What a pending enrollment waits for; empty once the pending status has ended.',
  },
  'product-id': {
    term: 'Identificador do produto',
    meaning: 'Identifica o produto da empresa.',
    en: 'The id of a product of the company.',
  },
  'product-name': {
    term: 'Produto',
    meaning: 'Nome do produto ou plano, como cadastrado para a empresa.',
    en: 'The name of the product; in an offense as it was sent.',
  },
  'product-type': {
    term: 'Tipo de produto',
    meaning: 'Saúde, odontológico, vida, farmácia e outros.',
    norm: 'Planos de saúde: Lei 9.656/1998',
  },
  products: {
    term: 'Produtos',
    meaning: 'Produtos da inclusão, por tipo; no objeto da empresa, os produtos que ela oferece.',
    en: 'Of an inclusion: the products by product type. Of a company: its products in the order of display.',
  },
  reason: {
    term: 'Motivo',
    meaning: 'Motivo da situação ou da alteração, em texto livre.',
    en: 'Why the enrollment has its status, or the reason of an alteration, as free text.',
  },
  reference: {
    term: 'Referência',
    meaning: 'Nome que o próprio cliente dá ao pedido ou à movimentação; não pode ter CPF.',
    en: "The client's own name for a request or a movement: text of 1 to 100 characters without a CPF.",
  },
  'request-id': {
    term: 'Identificador do pedido',
    meaning: 'Identifica o pedido de movimentação; serve para acompanhar o andamento.',
    en: 'The id of a movement request, from the response to the movement. Absent with `dry-run=true` alone.',
  },
  'request-type': {
    term: 'Tipo de pedido',
    meaning: 'Inclusão, exclusão ou alteração.',
    en: 'The type of the request: `inclusion`, `exclusion` or `alteration`.',
  },
  'requested-start-date': { term: 'Início solicitado', meaning: 'Dia em que a troca passa a valer; sem ele, hoje.' },
  'scheduled-action-date': {
    term: 'Data programada',
    meaning: 'Dia em que a movimentação passa a valer, quando é futuro.',
    en: 'The day on which the movement takes effect, if that was in the future at acceptance.',
  },
  'scheduled-reason': {
    term: 'Motivo da programação',
    meaning: 'Por que a movimentação está programada, como uma admissão futura.',
    en: 'Why the movement is scheduled, such as `future-admission-date`.',
  },
  'start-date': {
    term: 'Início da vigência',
    meaning: 'Primeiro dia de cobertura do benefício.',
    en: 'The first day covered.',
  },
  'start-option': {
    term: 'Opção de início',
    meaning: 'Quando a vigência começa: na inclusão, na admissão ou no próximo faturamento.',
    en: 'When the cover starts: `on-inclusion-date`, `on-admission-date` or `on-next-billing-period`.',
  },
  status: {
    term: 'Situação',
    meaning: 'Situação do objeto: pedido, movimentação, benefício, arquivo da fatura ou entrega.',
    en: 'The status of the object: request, part of a request, enrollment, benefit, file of an invoice, webhook endpoint or delivery.',
  },
  'status-by-tax-id': { term: 'Situação por CPF', meaning: 'Resultado do pedido por CPF e por produto.' },
  'part-status': {
    term: 'Situação das partes',
    meaning: 'Filtro: só as partes do pedido nesta situação.',
    en: 'Only parts of the request with this status.',
  },
  'part-summary': {
    term: 'Resumo das partes',
    meaning: 'Quantidade de partes do pedido em cada situação.',
    en: 'The number of parts of the request in each status.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
