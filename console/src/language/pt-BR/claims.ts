import type { claims as english } from '../en/claims.ts'
import type { TextsOf } from '../texts-of.ts'

export const claims: TextsOf<typeof english> = {
  title: 'Contestações',
  titleOne: 'Contestação {{month}}: {{carrier}}, contrato {{contract}}',
  claim: 'Contestação',
  empty: 'Nenhuma contestação com estes filtros. Contestações são feitas na conciliação de uma fatura.',
  company: 'Empresa',
  carrier: 'Operadora',
  contract: 'Contrato',
  month: 'Competência',
  monthPlaceholder: 'mm/aaaa',
  invalidMonth: 'Isto não é um mês.',
  status: 'Situação',
  any: 'qualquer',
  totals: 'Totais dos filtros',
  total: 'Contestado',
  credited: 'Creditado',
  open: 'A creditar',
  protocol: 'Protocolo da operadora',
  sentAt: 'Enviada em',
  createdAt: 'Criada em',
  createdBy: 'Criada por',
  note: 'Observação',
  invoice: 'Fatura',
  reconciliation: 'Ver conciliação',
  lines: 'Linhas da contestação',
  line: 'Linha',
  person: 'Pessoa',
  class: 'Motivo',
  amount: 'Valor',
  creditedIn: 'Creditado em',
  export: 'Baixar XLSX',
  fileName: 'contestacao-{{month}}-{{contract}}',
  next: {
    draft: 'Baixe a planilha, envie-a à operadora e registre aqui o envio.',
    sent: 'Registre aqui a resposta da operadora. Os créditos são encontrados quando a próxima fatura é conciliada.',
    accepted:
      'Os créditos são encontrados quando a próxima fatura é conciliada: um da mesma pessoa e exatamente do valor.',
    refused:
      'O que foi contestado voltou a ficar em aberto na conciliação, a não ser que a competência estivesse fechada.',
    credited: 'Faturas seguintes têm um crédito de cada linha.',
  },
  act: {
    sent: 'Marcar como enviada',
    accepted: 'Aceita pela operadora',
    refused: 'Recusada pela operadora',
    delete: 'Excluir',
  },
  actText: {
    sent: 'A contestação foi enviada à operadora. Depois disso não pode mais ser excluída.',
    accepted: 'A operadora vai creditar o que foi contestado.',
    refused:
      'A operadora não credita nada. O que foi contestado volta a ficar em aberto, a não ser que a competência esteja fechada.',
    delete: 'O rascunho é excluído. O que ele contesta volta a ficar em aberto.',
  },
  done: {
    sent: 'A contestação está como enviada.',
    accepted: 'A contestação está como aceita.',
    refused: 'A contestação está como recusada.',
    delete: 'A contestação foi excluída.',
  },
}
