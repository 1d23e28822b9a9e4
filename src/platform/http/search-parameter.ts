import { Type } from 'typebox'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { MIN_SEARCH_CHARACTERS } from '#kernel/search.ts'

/** The parameter `q` of a list. @param fields that it searches. */
export const searchParameter = (fields: string) => Type.Optional(searchText(fields))

/** The same where it is required. */
export const searchText = (fields: string) =>
  Type.String({
    minLength: MIN_SEARCH_CHARACTERS,
    maxLength: MAX_TEXT_CHARACTERS,
    description: `A part of ${fields}, without case and accents; at least ${MIN_SEARCH_CHARACTERS} characters.`,
    examples: ['souza'],
  })
