/* The glossary of jobs of decisions. See glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const JOB_TERMS = {
  'broken-reason': {
    term: 'Motivo da interrupção',
    meaning: 'Por que o processamento parou antes do fim.',
    en: 'Why a job of decisions is `broken`: `operator-removed` or `role-not-allowed`; null otherwise.',
  },
  done: {
    term: 'Processadas',
    meaning: 'Quantidade de linhas já processadas.',
    en: 'Of a job of decisions: how many of its `lines` have a result.',
  },
  'job-id': {
    term: 'Identificador do processamento',
    meaning: 'Identifica um processamento de decisões.',
    en: 'The id of a job of decisions.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
