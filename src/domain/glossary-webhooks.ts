/* The glossary of webhooks: see glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const WEBHOOK_TERMS = {
  attempt: { term: 'Tentativa', meaning: 'Número da tentativa de entrega.', en: 'The number of the attempt, from 1.' },
  'attempted-at': { term: 'Tentado em', meaning: 'Momento da tentativa de entrega.', en: 'When the attempt was made.' },
  'disabled-reason': {
    term: 'Motivo da desativação',
    meaning: 'Por que o endereço de avisos foi desativado.',
    en: 'Why the webhook endpoint is disabled.',
  },
  'endpoint-id': {
    term: 'Identificador do destino',
    meaning: 'Endereço que recebeu o aviso.',
    en: 'The id of the webhook endpoint.',
  },
  'event-types': {
    term: 'Tipos de evento',
    meaning: 'Eventos que o endereço recebe; vazio: todos.',
    en: 'The event types that the endpoint receives; empty: all.',
  },
  'next-attempt-at': {
    term: 'Próxima tentativa em',
    meaning: 'Momento da próxima tentativa de entrega.',
    en: 'When the next attempt is made; null: none.',
  },
  'response-status': {
    term: 'Resposta do destino',
    meaning: 'Código HTTP que o destino devolveu.',
    en: 'The HTTP status of the receiver; null: there was none.',
  },
  secret: {
    term: 'Segredo de assinatura',
    meaning: 'Chave que confere a assinatura dos avisos; é mostrada uma única vez.',
    en: 'The key of the signatures of webhooks. Shown only in this response.',
  },
  url: { term: 'Endereço de avisos', meaning: 'Endereço que recebe os avisos de eventos.' },
  'webhook-endpoint-id': {
    term: 'Identificador do endereço de avisos',
    meaning: 'Identifica o endereço que recebe avisos.',
  },
  'webhook-event-id': { term: 'Identificador do evento', meaning: 'Identifica o evento.' },
  'webhook-id': { term: 'Identificador do aviso', meaning: 'Identifica o evento; é o mesmo em todas as tentativas.' },
  'webhook-signature': {
    term: 'Assinatura do aviso',
    meaning: 'Assinatura que prova a origem do aviso.',
    norm: 'Standard Webhooks 1.0',
  },
  'webhook-timestamp': {
    term: 'Momento do aviso',
    meaning: 'Momento da tentativa de entrega, em segundos desde 1970.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
