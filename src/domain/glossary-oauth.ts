/* The glossary of the parameters that OAuth 2.0 names (RFC 6749). See glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const OAUTH_TERMS = {
  access_token: {
    term: 'Token de acesso (OAuth)',
    meaning: 'O mesmo que `access-token`, com o nome do OAuth 2.0.',
    en: '`access-token` as OAuth 2.0 spells it.',
  },
  client_id: {
    term: 'Identificador do cliente (OAuth)',
    meaning: 'O mesmo que `client-id`, com o nome do OAuth 2.0.',
    en: '`client-id` as OAuth 2.0 spells it.',
  },
  client_secret: {
    term: 'Segredo do cliente (OAuth)',
    meaning: 'O mesmo que `client-secret`, com o nome do OAuth 2.0.',
    en: '`client-secret` as OAuth 2.0 spells it.',
  },
  expires_in: {
    term: 'Validade em segundos (OAuth)',
    meaning: 'O mesmo que `expires-in`, com o nome do OAuth 2.0.',
    en: '`expires-in` as OAuth 2.0 spells it.',
  },
  grant_type: {
    term: 'Tipo de concessão (OAuth)',
    meaning: 'Sempre `client_credentials`.',
    en: 'Always `client_credentials`.',
  },
  scope: {
    term: 'Escopo (OAuth)',
    meaning: 'Não há escopos: um valor é recusado.',
    en: 'There are no scopes: a value is refused.',
  },
  token_type: {
    term: 'Tipo do token (OAuth)',
    meaning: 'O mesmo que `token-type`, com o nome do OAuth 2.0.',
    en: '`token-type` as OAuth 2.0 spells it.',
  },
} as const satisfies Record<string, GlossaryEntry>
