/* What the codes in the `details` of an error mean. `npm run docs` writes the table of the documentation from here. */
import type { DetailCode } from './enums.ts'
import type { Explanation } from './offenses.ts'

export const DETAIL_EXPLANATIONS = {
  missing: { meaning: 'Required and absent.', fix: 'Send it.' },
  invalid: { meaning: 'Present, but not valid.', fix: '`message` and `allowed` say what it may be.' },
  unknown: {
    meaning: 'No such field or parameter, or nothing with this id.',
    fix: 'Compare the spelling; `message` may name the one that was meant.',
  },
  repeated: { meaning: 'Sent twice where once is allowed.', fix: 'Send it once.' },
  'too-few': { meaning: 'Fewer members than the batch needs: 1 to 10,000.', fix: 'Send at least one.' },
  'too-many': {
    meaning: 'More members or lines than one call takes: 10,000.',
    fix: 'Send them in several calls.',
  },
  'too-many-columns': {
    meaning: '`header`: more columns or characters than the header of a CSV may have.',
    fix: 'Delete the columns that the file does not need.',
  },
  'too-many-values': { meaning: '`body`: too many values.', fix: 'Send fewer in one call.' },
  'malformed-json': {
    meaning: '`body`: not JSON; at this `line` and `column`, where the place is known.',
    fix: 'Check the body with a JSON parser, and correct the character at that place.',
  },
  'illegal-transition': {
    meaning: '`status`: `message` says why the enrollment cannot have this status.',
    fix: 'Use one of the statuses in `allowed`.',
  },
  'invalid-name': {
    meaning:
      'A name with control or bidirectional characters (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).',
    fix: 'Remove these characters.',
  },
  'staging-only': { meaning: '`resolution` in production.', fix: 'Leave it out.' },
  'not-applicable': {
    meaning: 'A field that is not allowed with the status of the transition, or in the answer to this movement.',
    fix: 'Leave it out.',
  },
  'not-changeable': {
    meaning: 'An answer cannot change it: it says whom or what the movement is about.',
    fix: 'Cancel the movement and send another one.',
  },
  'dependent-type-not-allowed': {
    meaning: 'A product of the movement does not allow this `dependent-type`.',
    fix: 'See `allowed-dependent-types` of the product.',
  },
  'before-start-date': { meaning: "The date is before the benefit's start.", fix: 'Send a later date.' },
  'date-out-of-range': {
    meaning: 'A date of an operator is more than two years from today, or before 1900.',
    fix: 'Correct it, or send `confirm: true` if it is meant.',
  },
  'primary-not-kept': {
    meaning: "`extension-plan` for a dependent whose primary's benefit is not under an extension plan.",
    fix: 'Leave `extension-plan` out, or keep the primary first.',
  },
  'nothing-to-alter': { meaning: 'The alteration changes nothing.', fix: 'Send at least one value that changes.' },
  'same-company': {
    meaning: '`new-company-tax-id` is the present company of the member.',
    fix: 'Send another company, or leave it out.',
  },
  'unknown-product': {
    meaning: 'The destination company does not offer the product: unknown, retired, or of another company.',
    fix: 'See the products of the destination company.',
  },
  'product-type-mismatch': {
    meaning: 'The member has no active primary benefit of the type of the product.',
    fix: 'Send a product of the type of a benefit of the member.',
  },
  'ambiguous-product-type': {
    meaning: 'The member has several active primary benefits of the type of the product.',
    fix: 'Exclude one of them first.',
  },
  'no-equivalent-product': {
    meaning: 'The new company has no product of the same type and name.',
    fix: 'Send `new-product-id`, or have the product added to the company.',
  },
  'already-enrolled': {
    meaning: 'The person has the product already, active or pending.',
    fix: 'Send another product, or exclude the old benefit first.',
  },
  'already-in-use': { meaning: 'Another member of the company has this CPF.', fix: 'Correct the CPF.' },
  'not-company-tax-id': {
    meaning: '`company-id` is not the company of `company-tax-id`.',
    fix: 'Send one of the two, or both of the same company.',
  },
  'before-reference-period-start': {
    meaning: 'An invoice: the end of the reference period is before its start.',
    fix: 'Correct one of the dates.',
  },
  empty: { meaning: 'The file has no bytes.', fix: 'Send a file with content.' },
  'too-many-endpoints': {
    meaning: 'The client has as many webhook endpoints as are allowed.',
    fix: 'Delete one, or change its URL.',
  },
  'duplicate-url': { meaning: 'Another webhook endpoint of the client has this URL.', fix: 'Change that endpoint.' },
  'https-required': { meaning: 'Production calls `https://` URLs only.', fix: 'Send an `https://` URL.' },
  'credentials-not-allowed': { meaning: 'The URL has a user or a password.', fix: 'Leave both out.' },
  'port-not-allowed': {
    meaning: 'The port of the URL is neither 80, 443, nor 1024 or above.',
    fix: 'Use one of these ports.',
  },
  'private-address': { meaning: 'The address of the URL is not public.', fix: 'Use a public address.' },
} as const satisfies Readonly<Record<DetailCode, Explanation>>
