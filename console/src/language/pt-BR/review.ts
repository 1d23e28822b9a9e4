import type { review as english } from '../en/review.ts'
import type { TextsOf } from '../texts-of.ts'

export const review: TextsOf<typeof english> = {
  copy: 'Copiar {{name}}',
  copied: 'Copiado: {{name}}',
  follows: 'O que acontece junto',
  leaves: '{{name}}, {{relation}}, sai junto.',
  isRejected: '{{name}}, {{relation}}: se esta inclusão for rejeitada, a de {{name}} não pode ser concluída.',
  familyMovements: 'Outras movimentações da família',
  nextSteps: 'O que fazer agora',
  openMember: 'Benefícios da pessoa',
  correct: 'Corrigir carteirinha ou datas',
  correctTitle: 'Corrigir o benefício',
  correctHint:
    'O parceiro é avisado. O que constava antes, quem corrigiu e o motivo ficam no histórico e na auditoria.',
  cardNumber: 'Número da carteirinha',
  startDate: 'Início da vigência',
  endDate: 'Último dia coberto',
  reason: 'Motivo da correção',
  reasonMissing: 'Escreva o motivo.',
  nothingChanged: 'Mude a carteirinha ou uma data.',
  corrected: 'Benefício corrigido.',
  confirmDates: 'Sim, as datas estão certas',
  corrections: 'Correções',
  secondCard: 'Pedir segunda via da carteirinha',
  secondCardTitle: 'Segunda via da carteirinha',
  secondCardHint: 'Cria uma movimentação para a operadora, na fila.',
  secondCardReason: 'Por que',
  secondCardReasons: {
    lost: 'Perdida',
    stolen: 'Roubada',
    damaged: 'Danificada',
    'data-changed': 'Dados mudaram',
    other: 'Outro motivo',
  },
  secondCardAsked: 'Segunda via pedida.',
}
