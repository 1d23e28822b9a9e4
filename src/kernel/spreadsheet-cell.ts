/* Texts in cells of spreadsheets: what the programs would execute or have spoilt. */

const FORMULA = /^[=+\-@\t\r＝＋－＠]/
const ESCAPED = /^'+[=+\-@\t\r＝＋－＠]/

// Where a program with another separator, or without the quotes of a cell, begins one with a formula.
const INNER_FORMULA = /([,;\t\r\n]"*)(?='*[=+\-@＝＋－＠])/g
const INNER_ESCAPED = /([,;\t\r\n]"*)(?='+[=+\-@＝＋－＠])/g
const INNER_APOSTROPHE = /([,;\t\r\n]"*)'(?='*[=+\-@＝＋－＠])/g

/** Whether a spreadsheet program would execute the text of a CSV. */
export const isFormula = (text: string): boolean => FORMULA.test(text)

/**
 * The text as a cell of a CSV that no spreadsheet program executes, whatever separator it takes: what begins like a formula gets an apostrophe before
 * it (OWASP, CSV injection), also in full width, which some programs take for the same. What looks as if it had one gets another, so that
 * `fromSpreadsheetCell` returns every text as it was.
 */
export function toCsvCell(text: string): string {
  const inner = text.replaceAll(INNER_FORMULA, "$1'")
  return FORMULA.test(text) || ESCAPED.test(text) ? `'${inner}` : inner
}

/** The text as a cell of a workbook, where a text is not divided: as in a CSV, without the apostrophes inside. */
export function toWorkbookCell(text: string): string {
  const inner = text.replaceAll(INNER_ESCAPED, "$1'")
  return FORMULA.test(text) || ESCAPED.test(text) ? `'${inner}` : inner
}

/** The text of a cell, without the apostrophes of `toCsvCell` and `toWorkbookCell`. */
export function fromSpreadsheetCell(cell: string): string {
  return (ESCAPED.test(cell) ? cell.slice(1) : cell).replaceAll(INNER_APOSTROPHE, '$1')
}

const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d*[eE][+-]?|[eE][+-])\d+$/

/**
 * Whether a spreadsheet has turned a long number into scientific notation, such as `4,5112E+13`, which has lost digits. `12E34`, without
 * sign and decimals, may be a number with a letter.
 */
export function isScientificNotation(text: string): boolean {
  return SCIENTIFIC.test(text.trim())
}
