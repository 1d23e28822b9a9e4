import type { costs as english } from '../en/costs.ts'
import type { TextsOf } from '../texts-of.ts'

export const costs: TextsOf<typeof english> = {
  title: 'Custos e diferenças',
  company: 'Empresa',
  contract: 'Contrato',
  anyContract: 'Todos os contratos',
  range: 'Meses exibidos',
  months_one: '{{count}} mês',
  months_other: '{{count}} meses',
  month: 'Competência',
  table: 'As competências em tabela',
  charts: {
    lives: 'Vidas',
    cost: 'Custo',
    differences: 'Diferenças',
  },
  meanings: {
    lives: 'Benefícios que cobrem o último dia da competência.',
    cost: 'O que as faturas cobram e o que era esperado, em reais.',
    differences:
      'O que as faturas cobram a mais, o que disso foi contestado e o que faturas seguintes creditaram, em reais.',
  },
  series: {
    'covered-lives': 'Vidas',
    'carrier-total': 'Cobrado',
    'expected-total': 'Esperado',
    'overcharged-total': 'A mais',
    'claimed-total': 'Contestado',
    'credited-total': 'Recuperado',
  },
}
