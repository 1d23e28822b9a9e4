/*
 * Names contain no control characters (C0, C1) and no marks of writing direction (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069): a text that is shown to an operator must not look like another, nor move the cursor of a terminal.
 * Other texts may have tabs and line breaks.
 */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** The pattern as JSON Schema has it: validators compile it without the `u` flag, and Python has no `\p`. */
const withoutProperties = ({ source }: RegExp) =>
  source.replace(String.raw`\p{Cc}`, String.raw`\u0000-\u001f\u007f-\u009f`)

/** A JSON Schema `pattern` of the characters that names must not contain. */
export const unfitForNames = withoutProperties(UNFIT)

/** Whether a text can be part of the name of a person, company, product, carrier, client or operator. */
export function fitsNames(text: string): boolean {
  return !UNFIT.test(text)
}

const UNFIT_IN_LINES = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A JSON Schema `pattern` of the characters that texts other than names must not contain. */
export const unfitForLines = withoutProperties(UNFIT_IN_LINES)

/** Whether a text can be a reason, a comment, a note, a reference or a value such as a job title. */
export function fitsLines(text: string): boolean {
  return !UNFIT_IN_LINES.test(text)
}

const marks = /[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]/g
const blanks = /[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]+/g
/** Letters that are no plain letter with a mark, and the kinds of apostrophes and hyphens. */
const plain: Readonly<Record<string, string>> = {
  ...pairs('ŁłĐđÐðØøĦħŦŧı', 'LlDdDdOoHhTti'),
  ...Object.fromEntries(Array.from('\u2018\u2019\u201b\u02bc\u02bb\u02b9`\u00b4\u2032\uff07', (mark) => [mark, "'"])),
  ...Object.fromEntries(Array.from('\u2010\u2011\u2012\u2013\u2014\u2212\uff0d', (mark) => [mark, '-'])),
  ß: 'ss',
  Æ: 'ae',
  æ: 'ae',
  Œ: 'oe',
  œ: 'oe',
  Þ: 'th',
  þ: 'th',
}
const maybeSpecial = /[^ -_a-~]/g

function pairs(from: string, to: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(from, (letter, index) => [letter, to[index] ?? '']))
}

/** The form in which texts are compared: as the function `fold` of the database. */
export function foldText(text: string): string {
  const folded = text.normalize('NFD').replaceAll(marks, '').replaceAll(blanks, ' ')
  return folded.replaceAll(maybeSpecial, (letter) => plain[letter] ?? letter).toLowerCase()
}

/** The form in which names are compared: as the function `fold_name` of the database. */
export function foldName(name: string): string {
  return foldText(name).replaceAll(/[ .,'-]/g, '')
}

/** The fewest characters to which programs cut names. */
export const MIN_NAME_CUT = 30

/** Whether two names are the same, one of them perhaps cut: as the function `same_name` of the database. */
export function sameName(a: string, b: string, cut = MIN_NAME_CUT): boolean {
  const [first, second] = [foldName(a), foldName(b)]
  const isCutOf = (short: string, long: string, name: string) => {
    const beginning = foldName(Array.from(name).slice(0, cut).join(''))
    return beginning !== '' && long.startsWith(short) && short.startsWith(beginning)
  }
  return (first === second && first !== '') || isCutOf(second, first, a) || isCutOf(first, second, b)
}
