/* The glossary of tokens and secrets, with the names of OAuth 2.0 (RFC 6749). See glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const CREDENTIAL_TERMS = {
  'access-token': { term: 'Token de acesso', meaning: 'Token que autoriza as chamadas do sistema por uma hora.' },
  'client-secret': {
    term: 'Segredo do cliente',
    meaning: 'Senha do sistema; é mostrada uma única vez.',
    en: 'The secret of the client. Shown only when it is made; the service stores a hash.',
  },
  'ends-at': {
    term: 'Termina em',
    meaning: 'Momento em que o segredo deixa de valer, em UTC; vazio quando vale até a próxima troca.',
    en: 'When the secret ends; null when it is valid until the next rotation.',
  },
  'expires-in': {
    term: 'Validade em segundos',
    meaning: 'Por quantos segundos o token vale.',
    en: 'Seconds for which the token is valid. There is no refresh token: authenticate again.',
  },
  'former-secret-ends-at': {
    term: 'Fim do segredo anterior',
    meaning: 'Momento em que o segredo anterior deixa de valer, em UTC.',
    en: 'When the former secret of the client ends.',
  },
  'token-type': { term: 'Tipo do token', meaning: 'Sempre Bearer.', en: 'Always `Bearer`.' },
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
