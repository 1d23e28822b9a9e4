import type { atRisk as english } from '../en/at-risk.ts'
import type { TextsOf } from '../texts-of.ts'

export const atRisk: TextsOf<typeof english> = {
  title: 'Dinheiro em risco',
  meaning: 'O que as movimentações em aberto custam se perderem a próxima data de corte, no último cálculo.',
  groupBy: 'Por',
  group: { contract: 'Contrato', company: 'Empresa', 'cut-off-date': 'Data de corte' },
  none: 'Nada em aberto tem um custo conhecido.',
  movements: 'Movimentações',
  toQueue: 'A fila por dinheiro em risco',
  perMonth: 'Um mês custa',
  chargedBeyondEnd: 'Cobrado após o fim',
  cutOff: 'Próxima data de corte',
  ifMissed: 'Cobrado se perder o corte',
  lost: 'Já sem crédito',
  lostIfMissed: 'Perdido se perder o corte',
  uncovered: 'Sem cobertura se perder o corte',
  days_one: '{{count}} dia',
  days_other: '{{count}} dias',
  windowUntil: 'A operadora reconhece até',
  asOf: 'Calculado em',
  until: 'até {{date}}',
  missing: {
    'retroactive-inclusion': 'O contrato não diz até quando a operadora aceita inclusões retroativas',
    'retroactive-exclusion': 'O contrato não diz até quando a operadora credita exclusões retroativas',
  },
}
