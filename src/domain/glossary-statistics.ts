/* The fields of the figures of the movements, and of the parameters that list what a figure counts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const STATISTICS_TERMS = {
  '1-to-3-days': { term: 'De 1 a 3 dias', meaning: 'Movimentações abertas, criadas de um a três dias atrás.' },
  '4-to-7-days': { term: 'De 4 a 7 dias', meaning: 'Movimentações abertas, criadas de quatro a sete dias atrás.' },
  backlog: {
    term: 'Movimentações abertas por operadora',
    meaning: 'Quantas movimentações esperam por uma decisão, por operadora e por dias desde a criação.',
  },
  cancelled: { term: 'Canceladas no dia', meaning: 'Quantas movimentações foram canceladas no dia.' },
  completed: { term: 'Concluídas no dia', meaning: 'Quantas movimentações foram concluídas no dia.' },
  created: { term: 'Criadas no dia', meaning: 'Quantas movimentações foram criadas no dia.' },
  date: { term: 'Dia', meaning: 'Dia no horário de São Paulo.', en: 'A day in America/Sao_Paulo.' },
  days: { term: 'Dias do período', meaning: 'Os números de cada dia do período.' },
  due: { term: 'Movimentações por prazo', meaning: 'Quantas movimentações abertas estão atrasadas ou perto do prazo.' },
  'due-from': { term: 'Prazo a partir de', meaning: 'Filtro: só movimentações com prazo neste dia ou depois.' },
  'failing-webhooks': {
    term: 'Webhooks com falha',
    meaning: 'Quantos endereços de webhook ativos falharam nas últimas tentativas.',
  },
  'from-date': { term: 'Primeiro dia', meaning: 'Primeiro dia do período.' },
  'median-seconds': {
    term: 'Tempo mediano',
    meaning: 'Metade das movimentações foi decidida em até tantos segundos.',
    en: 'Half of the movements took at most so many seconds. Null without movements.',
  },
  'next-7-days': { term: 'Vence em 7 dias', meaning: 'Movimentações abertas com prazo nos sete dias depois de hoje.' },
  'open-by-status': { term: 'Movimentações abertas por situação', meaning: 'Quantas estão abertas em cada situação.' },
  'over-7-days': { term: 'Mais de 7 dias', meaning: 'Movimentações abertas, criadas há mais de sete dias.' },
  overdue: { term: 'Atrasadas', meaning: 'Movimentações abertas com prazo antes de hoje.' },
  'p90-seconds': {
    term: 'Tempo de 90 %',
    meaning: 'Nove em dez movimentações foram decididas em até tantos segundos.',
    en: '90 % of the movements took at most so many seconds. Null without movements.',
  },
  'resolved-from-dt': {
    term: 'Resolvidas a partir de',
    meaning: 'Filtro: só movimentações concluídas, rejeitadas ou canceladas neste dia ou depois.',
  },
  'resolved-until-dt': {
    term: 'Resolvidas até',
    meaning: 'Filtro: só movimentações concluídas, rejeitadas ou canceladas até este dia.',
  },
  'time-to-resolve': {
    term: 'Tempo até a decisão',
    meaning: 'Quanto tempo passou da criação até a conclusão ou a rejeição, por tipo de movimentação.',
  },
  today: {
    term: 'Hoje',
    meaning: 'O dia a partir do qual idades e prazos são contados. Em `due`, as movimentações com prazo neste dia.',
    en: 'The day from which ages and due dates are counted. In `due`: open movements with that `due-date`.',
  },
  total: { term: 'Total', meaning: 'Todas as movimentações abertas da operadora.' },
  'under-1-day': { term: 'Menos de 1 dia', meaning: 'Movimentações abertas, criadas hoje.' },
  'until-date': { term: 'Último dia do período', meaning: 'Último dia do período, incluído.' },
} as const satisfies Record<string, GlossaryEntry>
