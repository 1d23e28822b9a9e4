import portuguese from '../../texts/pt-BR.json' with { type: 'json' }

/** The fields and parameters of the API, by their wire names, each with its term in Brazilian Portuguese. */
export const FIELD_TERMS = portuguese.fields

/** The Portuguese term of a field; undefined for a name that is none. */
export function termOf(name: string): string | undefined {
  return Object.hasOwn(FIELD_TERMS, name) ? FIELD_TERMS[name as keyof typeof FIELD_TERMS] : undefined
}
