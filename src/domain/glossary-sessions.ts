/* The glossary of operators' sessions in a browser. See glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const SESSION_TERMS = {
  'expires-at': { term: 'Expira em', meaning: 'Momento em que a sessão termina, mesmo em uso, em UTC.' },
  'identity-provider': {
    term: 'Provedor de identidade',
    meaning: 'Serviço de login da empresa em que os operadores entram; vazio quando não há.',
    en: 'The OpenID Connect provider where operators may sign in; null when none is configured.',
  },
  'idle-expires-at': {
    term: 'Expira sem uso em',
    meaning: 'Momento em que a sessão termina se não houver mais uso, em UTC.',
  },
  'signed-in-with': {
    term: 'Forma de entrada',
    meaning: 'Como o operador entrou: com o segredo ou pelo provedor de identidade.',
    en: 'How the operator signed in: `secret` or `identity-provider`.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
