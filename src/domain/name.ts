/*
 * Names contain no control characters (C0, C1) and no marks of writing direction (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069): a name that is shown to an operator must not look like another.
 */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A JSON Schema `pattern` of the characters that names must not contain. */
export const unfitForNames = UNFIT.source

/** Whether a text can be part of the name of a person, company, product, carrier, client or operator. */
export function fitsNames(text: string): boolean {
  return !UNFIT.test(text)
}
