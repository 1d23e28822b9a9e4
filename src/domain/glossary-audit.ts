/* The glossary of the verification of the audit: see glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const AUDIT_TERMS = {
  block: {
    term: 'Bloco',
    meaning: 'Posição do bloco na cadeia da auditoria.',
    en: 'The position of a block of the chain.',
  },
  blocks: {
    term: 'Blocos',
    meaning: 'Quantidade de blocos na cadeia da auditoria.',
    en: 'The number of blocks of the chain.',
  },
  'expected-head': {
    term: 'Ponta esperada',
    meaning: 'Ponta de uma verificação anterior, que a cadeia deve conter.',
    en: 'A head of an earlier verification, which the chain must hold.',
  },
  findings: { term: 'Achados', meaning: 'O que foi alterado na auditoria.', en: 'What was changed in the audit.' },
  head: {
    term: 'Ponta da cadeia',
    meaning: 'Código do último bloco da cadeia da auditoria.',
    en: 'The hash of the last block of the chain.',
  },
  intact: {
    term: 'Íntegra',
    meaning: 'Se nada foi alterado na auditoria.',
    en: 'Whether nothing was changed in the audit.',
  },
  pending: {
    term: 'Registros à espera',
    meaning: 'Registros que ainda não estão em um bloco.',
    en: 'Audit rows that are in no block yet.',
  },
  row: { term: 'Registro', meaning: 'Identifica o registro da auditoria.', en: 'The id of the audit row.' },
  rows: {
    term: 'Registros',
    meaning: 'Quantidade de registros nos blocos.',
    en: 'The number of audit rows in blocks.',
  },
  until: { term: 'Até o bloco', meaning: 'Último bloco que falta.', en: 'The last missing block.' },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
