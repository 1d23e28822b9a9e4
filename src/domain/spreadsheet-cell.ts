/* Texts in cells of spreadsheets: what the programs would execute or have spoilt. */

const FORMULA = /^[=+\-@\t\r＝＋－＠]/
const ESCAPED = /^'+[=+\-@\t\r＝＋－＠]/

/** Whether a spreadsheet program would execute the text of a CSV. */
export const isFormula = (text: string): boolean => FORMULA.test(text)

/**
 * The text as a cell that no spreadsheet program executes: one that begins like a formula gets an apostrophe before it (OWASP, CSV injection),
 * also in full width, which some programs take for the same. A text that looks as if it had one gets another, so that `fromSpreadsheetCell`
 * returns every text as it was.
 */
export function toSpreadsheetCell(text: string): string {
  return FORMULA.test(text) || ESCAPED.test(text) ? `'${text}` : text
}

/** The text of a cell, without the apostrophe of `toSpreadsheetCell`. */
export function fromSpreadsheetCell(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell
}

const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d*[eE][+-]?|[eE][+-])\d+$/

/**
 * Whether a spreadsheet has turned a long number into scientific notation, such as `4,5112E+13`, which has lost digits. `12E34`, without
 * sign and decimals, may be a number with a letter.
 */
export function isScientificNotation(text: string): boolean {
  return SCIENTIFIC.test(text.trim())
}
