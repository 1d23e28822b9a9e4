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
  url: {
    term: 'Endereço de avisos',
    meaning: 'Endereço que recebe os avisos de eventos.',
    en: 'The URL that receives the events.',
  },
  'webhook-endpoint-id': {
    term: 'Identificador do endereço de avisos',
    meaning: 'Identifica o endereço que recebe avisos.',
    en: 'The id of the webhook endpoint, in paths and filters.',
  },
  'webhook-event-id': { term: 'Identificador do evento', meaning: 'Identifica o evento.', en: 'The id of the event.' },
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
  body: {
    term: 'Conteúdo enviado',
    meaning: 'Texto enviado ao destino, sem alteração.',
    en: 'The body of a delivery, byte for byte.',
  },
  deliveries: {
    term: 'Entregas',
    meaning: 'Tentativas de entrega do evento.',
    en: 'The attempts to deliver the event.',
  },
  'event-id': {
    term: 'Evento da entrega',
    meaning: 'Identifica o evento entregue.',
    en: 'The id of the event that is delivered.',
  },
  'event-type': {
    term: 'Tipo do evento',
    meaning: 'Tipo do evento entregue.',
    en: 'The type of the event that is delivered.',
  },
  failing: {
    term: 'Com falha',
    meaning: 'Filtro: só os endereços cuja última entrega falhou.',
    en: 'Only endpoints whose last attempt failed, or that were disabled for it.',
  },
  'failing-since': {
    term: 'Com falha desde',
    meaning: 'Primeira falha depois da última entrega que deu certo.',
    en: 'The first failed attempt since the last that succeeded.',
  },
  'last-error': {
    term: 'Última falha',
    meaning: 'Última tentativa de entrega que falhou.',
    en: 'The last failed attempt.',
  },
  'last-success-at': {
    term: 'Última entrega em',
    meaning: 'Momento da última entrega que deu certo.',
    en: 'When an attempt succeeded last.',
  },
  'oldest-pending-at': {
    term: 'Entrega mais antiga à espera',
    meaning: 'Desde quando a entrega mais antiga espera.',
    en: 'Since when the oldest pending delivery waits.',
  },
  'pending-deliveries': {
    term: 'Entregas à espera',
    meaning: 'Quantidade de entregas à espera.',
    en: 'The number of pending deliveries.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
