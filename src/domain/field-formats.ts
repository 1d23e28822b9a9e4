interface FormatName {
  readonly english: string
  readonly portuguese: string
}

/** What a text of a format of JSON Schema is, as a person writes it. */
export const FIELD_FORMATS: Readonly<Record<string, FormatName>> = {
  cnpj: { english: 'a valid CNPJ', portuguese: 'um CNPJ válido' },
  cpf: { english: 'a valid CPF', portuguese: 'um CPF válido' },
  date: { english: 'a date that exists, as YYYY-MM-DD', portuguese: 'uma data que exista, no formato AAAA-MM-DD' },
  'date-time': {
    english: 'a date and time, as YYYY-MM-DDTHH:MM:SSZ',
    portuguese: 'data e hora no formato AAAA-MM-DDTHH:MM:SSZ',
  },
  email: { english: 'a valid e-mail address', portuguese: 'um e-mail válido' },
  phone: { english: 'a phone number with area code', portuguese: 'um telefone com DDD' },
  uuid: { english: 'a UUID', portuguese: 'um identificador (UUID)' },
}
