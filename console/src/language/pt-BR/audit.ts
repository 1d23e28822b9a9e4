import type { EnrollmentStatus } from '../../../../src/domain/enums.ts'
import { inSentence } from '../../../../src/texts/in-sentence.ts'
import { terms } from './terms.ts'

import type { audit as english } from '../en/audit.ts'
import type { TextsOf } from '../texts-of.ts'

const movementIs = (status: EnrollmentStatus) => `Movimentação: ${inSentence(terms.status[status])}`

export const audit: TextsOf<typeof english> = {
  title: 'Auditoria',
  any: 'Qualquer',
  at: 'Momento',
  actor: 'Quem fez',
  actorId: 'Identificador de quem fez',
  action: 'Ação',
  target: 'Objeto',
  targetId: 'Identificador do objeto',
  ofTarget: 'Todos os registros do objeto',
  company: 'Empresa',
  cnpj: 'CNPJ',
  invalidCnpj: 'Este não é um CNPJ. Confira os caracteres.',
  address: 'Endereço de rede',
  requestTraceId: 'Identificador da chamada',
  ofRequest: 'Todos os registros da chamada',
  rowId: 'Identificador do registro',
  rowTitle: 'Registro de auditoria',
  showAll: 'Mostrar',
  from: 'De',
  until: 'Até',
  invalidDays: 'Escolha um dia depois do primeiro.',
  operators: 'Operadores',
  clients: 'Clientes',
  fileName: 'auditoria',
  verification: 'Verificação',
  verificationText:
    'Confere cada registro com a cadeia de hashes. Um registro alterado, removido ou inserido fora do serviço é encontrado.',
  expectedHead: 'Hash final esperado (opcional)',
  expectedHeadText: 'O hash final de uma verificação anterior: mostra se o fim da cadeia foi cortado desde então.',
  invalidHead: 'O hash final tem 64 caracteres, de 0 a 9 e de a a f.',
  verify: 'Verificar',
  verifying: 'Verificando cada registro. Quanto mais registros, mais demora…',
  intact: 'A auditoria está íntegra',
  notIntact: 'A auditoria não está íntegra',
  verified:
    'Registros em blocos: {{rows}}. Blocos: {{blocks}}. Registros ainda sem bloco, cuja alteração não é encontrada: {{pending}}.',
  head: 'O hash final, para guardar em outro lugar e conferir depois',
  inBlock: '(bloco {{block}})',
  inBlocks: '(blocos {{block}} a {{until}})',
  findings: {
    edited: 'Um registro foi alterado',
    removed: 'Falta um registro',
    inserted: 'Um registro foi inserido fora do serviço',
    reordered: 'Um registro mudou de lugar no bloco',
    'block-edited': 'Um bloco foi alterado',
    'block-removed': 'Faltam blocos',
    'block-reordered': 'Um bloco não segue o bloco anterior',
    'head-edited': 'O hash final falta ou foi alterado',
    'head-unknown': 'O hash final esperado não está na cadeia: o fim foi cortado, ou o hash é de outro banco de dados',
  },
  actions: {
    inclusion: {
      requested: 'Inclusão pedida',
    },
    exclusion: {
      requested: 'Exclusão pedida',
    },
    alteration: {
      requested: 'Alteração pedida',
    },
    enrollment: {
      created: movementIs('created'),
      scheduled: movementIs('scheduled'),
      'broker-processing': movementIs('broker-processing'),
      'carrier-processing': movementIs('carrier-processing'),
      'pending-documents': movementIs('pending-documents'),
      'pending-correction': movementIs('pending-correction'),
      completed: movementIs('completed'),
      rejected: movementIs('rejected'),
      cancelled: movementIs('cancelled'),
      assigned: 'Movimentação: responsável definido',
      unassigned: 'Movimentação: responsável retirado',
      'note-added': 'Movimentação: nota acrescentada',
    },
    'enrollment-data': {
      corrected: 'Movimentação: dados corrigidos',
      'start-moved': 'Movimentação: início acompanhou o do titular',
    },
    benefit: {
      activated: 'Benefício ativado',
      deactivated: 'Benefício desativado',
      ended: 'Benefício encerrado por operador',
      ending: 'Término de benefício avisado',
    },
    'draft-exclusion': {
      created: 'Proposta de exclusão criada',
      confirmed: 'Proposta de exclusão confirmada',
      discarded: 'Proposta de exclusão descartada',
    },
    member: {
      imported: 'Beneficiários importados',
      disclosed: 'Dados mascarados de beneficiário exibidos',
      denied: 'Acesso a beneficiário negado',
    },
    document: {
      'slot-created': 'Documento anunciado',
      uploaded: 'Documento enviado',
    },
    invoice: {
      created: 'Fatura criada',
      replaced: 'Fatura substituída',
      deleted: 'Fatura excluída',
      overdue: 'Fatura vencida',
    },
    'invoice-file': {
      created: 'Arquivo de fatura acrescentado',
      replaced: 'Arquivo de fatura substituído',
      deleted: 'Arquivo de fatura excluído',
      pending: 'Boleto: pagamento pendente',
      paid: 'Boleto: pago',
      cancelled: 'Boleto: cancelado',
    },
    company: {
      created: 'Empresa criada',
      replaced: 'Empresa substituída',
    },
    carrier: {
      created: 'Operadora encontrada em um produto',
      replaced: 'Dados de operadora alterados',
    },
    contract: {
      created: 'Contrato criado',
      replaced: 'Contrato alterado',
    },
    'contract-channel': {
      replaced: 'Entrega de um contrato alterada',
    },
    layout: {
      created: 'Leiaute criado',
      replaced: 'Leiaute alterado',
    },
    shipment: {
      closed: 'Remessa fechada',
      reopened: 'Remessa reaberta',
      cancelled: 'Remessa cancelada',
      sent: 'Remessa enviada',
      finished: 'Remessa finalizada',
      acknowledged: 'Retorno de uma remessa recebido',
      'item-protocol-stored': 'Protocolo de uma movimentação da remessa gravado',
      'delivery-requested': 'Entrega da remessa pedida',
      'delivery-stopped': 'Entrega da remessa interrompida',
      'answer-read-by-sftp': 'Retorno da remessa lido da pasta SFTP',
      'answer-failed': 'Retorno da remessa não pôde ser lido',
    },
    'decision-job': {
      created: 'Processamento de decisões ou de retorno da operadora iniciado',
    },
    'column-profile': {
      replaced: 'Colunas das planilhas da empresa definidas',
      deleted: 'Colunas das planilhas da empresa excluídas',
    },
    'requirement-rule': {
      created: 'Regra de documentos criada',
      replaced: 'Regra de documentos alterada',
      deleted: 'Regra de documentos excluída',
    },
    requirement: {
      waived: 'Documento exigido dispensado',
    },
    continuation: {
      created: 'Manutenção do plano criada',
      offered: 'Manutenção do plano oferecida',
      accepted: 'Manutenção do plano aceita',
      declined: 'Manutenção do plano recusada',
      expired: 'Manutenção do plano: sem resposta no prazo',
      activated: 'Manutenção do plano iniciada',
      ended: 'Manutenção do plano encerrada',
    },
    clock: {
      advanced: 'Relógio adiantado',
    },
    client: {
      created: 'Cliente criado',
      'secret-rotated': 'Cliente: segredo trocado',
      'former-secret-ended': 'Cliente: segredo anterior encerrado',
      revoked: 'Cliente revogado',
    },
    entitlement: {
      granted: 'Acesso a empresa concedido',
      revoked: 'Acesso a empresa revogado',
    },
    operator: {
      created: 'Operador criado',
      updated: 'Operador: nome alterado',
      'role-changed': 'Operador: papel alterado',
      'became-admin': 'Operador: agora administrador',
      'became-analyst': 'Operador: agora analista',
      'became-finance': 'Operador: agora financeiro',
      'became-auditor': 'Operador: agora auditor',
      'stayed-admin': 'Operador: continuou administrador, por ser o último',
      'role-ended': 'Operador: papel encerrado no provedor de identidade',
      'secret-rotated': 'Operador: segredo trocado',
      'former-secret-ended': 'Operador: segredo anterior encerrado',
      'sessions-ended': 'Operador: sessões encerradas',
      removed: 'Operador removido',
    },
    session: {
      created: 'Entrada no console',
      ended: 'Saída do console',
    },
    'webhook-endpoint': {
      created: 'Endpoint de webhook criado',
      updated: 'Endpoint de webhook alterado',
      'secret-rotated': 'Endpoint de webhook: segredo trocado',
      tested: 'Endpoint de webhook testado',
      disabled: 'Endpoint de webhook desativado',
      deleted: 'Endpoint de webhook excluído',
    },
    'webhook-event': {
      redelivered: 'Evento entregue de novo',
    },
  },
}
