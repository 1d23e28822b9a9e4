import type { erasure as english } from '../en/erasure.ts'
import type { TextsOf } from '../texts-of.ts'

export const erasure: TextsOf<typeof english> = {
  plan: 'Plano de eliminação',
  make: 'Fazer o plano',
  makeAgain: 'Fazer o plano de novo',
  made: 'O plano foi feito.',
  plannedBy: 'Feito por {{name}}. Nada foi eliminado ainda.',
  approvedBy: 'Feito por {{name}}, aprovado por {{other}}.',
  another: 'Outro administrador precisa aprovar.',
  approve: 'Aprovar e eliminar',
  approveText: 'O que o plano elimina sai em segundos, sem volta. O que fica está no plano.',
  approved: 'O plano foi aprovado. Os dados estão sendo eliminados.',
  what: 'Dados',
  company: 'Empresa',
  rows: 'Registros',
  action: 'Resultado',
  ground: 'Por que fica',
  until: 'Até',
  class: {
    benefit: 'Pessoa, benefícios e movimentações',
    'refused-document': 'Documentos de movimentações recusadas',
    import: 'Linhas rejeitadas de importações',
  },
  actions: { erase: 'Sai', keep: 'Fica' },
  grounds: {
    'legal-hold': 'Bloqueio legal',
    'open-movement': 'Movimentação aberta',
    'active-benefit': 'Benefício ativo da família',
    retention: 'Prazo de guarda',
  },
  hold: {
    inForce: 'Bloqueio legal: nada desta pessoa é excluído',
    set: 'Criar bloqueio legal',
    setText:
      'Nem a eliminação nem o prazo de guarda excluem algo desta pessoa, em nenhuma empresa, até o encerramento.',
    setDone: 'O bloqueio legal foi criado.',
    release: 'Encerrar o bloqueio legal',
    releaseText: 'Os dados desta pessoa podem ser excluídos de novo.',
    releaseDone: 'O bloqueio legal foi encerrado.',
    reason: 'Motivo',
  },
}
