/* Texts as PostgreSQL stores them. */

const NUL = '\0'

/** Whether PostgreSQL can store the text: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes(NUL) && text.isWellFormed()

/** The text with U+FFFD in place of what PostgreSQL cannot store. */
export function storable(text: string): string {
  return isStorable(text) ? text : text.replaceAll(NUL, '\uFFFD').toWellFormed()
}
