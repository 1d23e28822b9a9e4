/* The glossary of invoices: see glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

export const INVOICE_TERMS = {
  amount: { term: 'Valor', meaning: 'Valor da fatura, em centavos.', en: 'The amount of the invoice in cents.' },
  'company-name': { term: 'Nome da empresa', meaning: 'Nome da empresa.', en: 'The name of the company.' },
  'file-id': {
    term: 'Identificador do arquivo',
    meaning: 'Identifica um arquivo da fatura.',
    en: 'The id of a file, unique within its invoice.',
  },
  files: {
    term: 'Arquivos',
    meaning: 'Arquivos da fatura, como boleto e nota fiscal.',
    en: 'Files of the invoice, in the order of their first upload.',
  },
  'invoice-config-id': {
    term: 'Identificador do faturamento',
    meaning: 'Identifica o faturamento de uma empresa em uma operadora.',
    en: 'The id of the invoicing of a company by a carrier; by default the one stored for both.',
  },
  'invoice-id': {
    term: 'Identificador da fatura',
    meaning: 'Identifica a fatura.',
    en: 'The id of an invoice: up to 100 characters, percent-encoded in the path (a slash as `%2F`).',
  },
  'invoice-status': {
    term: 'Situação da fatura',
    meaning: 'Situação da fatura, conforme os boletos: paga, pendente, vencida ou cancelada.',
  },
  'payment-slip-due-date': {
    term: 'Vencimento do boleto',
    meaning: 'Vencimento do boleto; só para boletos.',
    en: 'The due date of a payment slip: required for one, null for other files.',
  },
  'reference-period-end': {
    term: 'Fim da competência',
    meaning: 'Último dia do período que a fatura cobre.',
    en: 'Last day of the period of the invoice, not before the first.',
  },
  'reference-period-start': {
    term: 'Início da competência',
    meaning: 'Primeiro dia do período que a fatura cobre.',
    en: 'First day of the period of the invoice.',
  },
  count: { term: 'Quantidade', meaning: 'Quantidade de itens.', en: 'The number of items.' },
  totals: {
    term: 'Totais',
    meaning: 'Quantidade e soma dos valores de toda a lista.',
    en: 'Number and sum of the amounts of the whole list.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
