import { productNameKey } from './product-name.ts'

/** How templates mark what must be filled in. */
const MARKS = /\((?:obrigatori[oa]|opcional|required|optional)\)|^[*\s]+|(?<![*:\s])[*:\s]+$/g

/** The form in which the headings of tables are compared: without case, accents, line breaks, numbers and kinds of blanks, and the marks of templates. */
export function headingKey(heading: string): string {
  return productNameKey(heading).replaceAll(MARKS, '').replaceAll(MARKS, '')
}

/** A heading as `headingKey`, and without punctuation: carriers abbreviate. */
export function foldHeading(heading: string): string {
  return headingKey(heading)
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}
