/*
 * Names contain no control characters (C0, C1) and no marks of writing direction (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069): a text that is shown to an operator must not look like another, nor move the cursor of a terminal.
 * Other texts may have tabs and line breaks.
 */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A JSON Schema `pattern` of the characters that names must not contain. */
export const unfitForNames = UNFIT.source

/** Whether a text can be part of the name of a person, company, product, carrier, client or operator. */
export function fitsNames(text: string): boolean {
  return !UNFIT.test(text)
}

const UNFIT_IN_LINES = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A JSON Schema `pattern` of the characters that texts other than names must not contain. */
export const unfitForLines = UNFIT_IN_LINES.source

/** Whether a text can be a reason, a comment, a note, a reference or a value such as a job title. */
export function fitsLines(text: string): boolean {
  return !UNFIT_IN_LINES.test(text)
}
