/*
 * The `code` of every error body. The type, the schema `ErrorCode`, the examples of the OpenAPI document and docs/reference/errors.md are made from
 * these tables: a further code is a further entry.
 */
import { DECISION_ERRORS } from './decision-errors.ts'
import { type ErrorDescription, REQUEST_ERRORS } from './request-errors.ts'

const storage = 'The storage of files is away. Nothing was stored.'
const wait = 'Wait for the seconds of `Retry-After`, then repeat the same call.'
const clientIds = 'Compare with the list of clients or operators.'

export const ERRORS = {
  ...REQUEST_ERRORS,
  ...DECISION_ERRORS,
  'invalid-date-range': {
    status: 400,
    error: "Invalid date filter: 'until-dt' must be greater than 'from-dt'",
    cause: '`until-dt` is before `from-dt`; of `GET /v1/invoices/pending-payment` also: the same day.',
    mend: 'Send a later `until-dt`, or only one of them.',
  },
  'invalid-filter': {
    status: 400,
    error: 'Invalid filter',
    cause: 'A term of `filter` is not `field=value`, or names another field than those in `details`.',
    mend: 'Send `tax-id=...`, `cost-center=...` or `employee-id=...`, several joined by a vertical bar.',
  },
  'invalid-members': {
    status: 400,
    error: 'Invalid members',
    cause: 'Members of the batch have offenses; `result` lists them. Nothing was accepted.',
    mend: 'Correct the members, or send `Prefer: handling=lenient` to have the others accepted. See the offenses.',
  },
  'invalid-exclusion-details': {
    status: 400,
    error: 'Invalid exclusion-details',
    cause: '`exclusion-details` are missing or invalid.',
    mend: '`details` name each field.',
  },
  'exclusion-reason-details-required': {
    status: 400,
    error: "Exclusion reason 'other' requires details",
    cause: 'The reason is `other`, without `exclusion-reason-details`.',
    mend: 'Send `exclusion-reason-details`.',
  },
  'extension-plan-not-available': {
    status: 400,
    error: 'Extension plan is only available for dismissal or retirement',
    cause: '`extension-plan` was sent with another reason (Lei 9.656, arts. 30 and 31).',
    mend: 'Leave `extension-plan` out, or correct the reason.',
  },
  'invalid-alteration-data': {
    status: 400,
    error: 'Invalid alteration-data',
    cause: '`alteration-data` is empty, has an unknown key, or a value that does not fit.',
    mend: '`details` name each key.',
  },
  'invalid-answer': {
    status: 400,
    error: 'Invalid answer',
    cause: 'The data or documents of an answer to a pending enrollment are invalid. Nothing was changed.',
    mend: '`details` name each field.',
  },
  'duplicate-url': {
    status: 400,
    error: 'Invalid body',
    cause: 'Another webhook endpoint of the client has this URL.',
    mend: 'Change that one; `details` name it.',
  },
  'too-many-endpoints': {
    status: 400,
    error: 'Invalid body',
    cause: 'The client has as many webhook endpoints as are allowed.',
    mend: 'Delete one that is not used.',
  },
  'staging-only': {
    status: 404,
    error: 'Alteration is only available in staging',
    cause: 'The operation does not exist in production.',
    mend: 'Rehearse it in staging. In production the broker has the carrier make the change, and updates registration data with an import of the roster.',
  },
  'member-not-found': {
    status: 404,
    error: 'Member not found',
    cause: 'No company of the client has a member with this CPF.',
    mend: 'Correct the CPF. A member exists once an inclusion was completed.',
  },
  'no-active-benefit': {
    status: 404,
    error: 'No active benefit found in member for given product',
    cause: 'The member has no active benefit of this product, id or primary.',
    mend: 'See the benefits in `GET /v1/member`.',
  },
  'no-active-primary-benefit': {
    status: 404,
    error: 'No active primary benefit found in member',
    cause: 'The member has no active benefit as primary.',
    mend: 'See the benefits in `GET /v1/member`.',
  },
  'request-not-found': {
    status: 404,
    error: 'Request not found',
    cause: 'There is no movement request with this id.',
    mend: 'Use the `request-id` from the response to the movement.',
  },
  'enrollment-not-found': {
    status: 404,
    error: 'Enrollment not found',
    cause: 'There is no enrollment with this id.',
    mend: 'Use an id of the request, the history or the queue.',
  },
  'benefit-not-found': {
    status: 404,
    error: 'Benefit not found',
    cause: 'There is no benefit with this id.',
    mend: 'Compare with the list of benefits.',
  },
  'company-not-found': {
    status: 404,
    error: 'Company not found',
    cause: 'There is no company with this CNPJ.',
    mend: 'Correct the CNPJ, or create the company first.',
  },
  'client-not-found': {
    status: 404,
    error: 'Client not found',
    cause: 'There is no partner client with this id that is not revoked.',
    mend: clientIds,
  },
  'operator-not-found': {
    status: 404,
    error: 'Operator not found',
    cause: 'There is no operator with this id that is not removed.',
    mend: clientIds,
  },
  'session-not-found': {
    status: 404,
    error: 'Session not found',
    cause: 'The call was made with a token, which has no session.',
    mend: 'Call with the cookie of a session.',
  },
  'document-not-found': {
    status: 404,
    error: 'Document not found',
    cause: 'The enrollment has no document with this id.',
    mend: 'Compare with the list of documents of the enrollment.',
  },
  'invoice-not-found': {
    status: 404,
    error: 'Invoice not found',
    cause: "There is no invoice, or file of it, with this id among the client's companies.",
    mend: 'Compare with the list of invoices.',
  },
  'invoice-file-not-found': {
    status: 404,
    error: 'Invoice file not found',
    cause: 'The invoice has no file with this id.',
    mend: 'Compare with the files of the invoice.',
  },
  'import-not-found': {
    status: 404,
    error: 'Import not found',
    cause: 'There is no import with this id.',
    mend: 'Use the id under which it was sent.',
  },
  'webhook-endpoint-not-found': {
    status: 404,
    error: 'Webhook endpoint not found',
    cause: 'The client has no webhook endpoint with this id.',
    mend: 'Compare with `GET /v1/webhook-endpoint`.',
  },
  'webhook-event-not-found': {
    status: 404,
    error: 'Webhook event not found',
    cause: 'There is no event with this id that the client may read.',
    mend: 'Compare with `GET /v1/webhook-event`.',
  },
  'upload-address-not-found': {
    status: 404,
    error: 'Upload address not found',
    cause: 'The upload address is incomplete or was changed.',
    mend: 'Use `upload-url` exactly as it was returned, with its parameters and without others.',
  },
  'ongoing-enrollments': {
    status: 409,
    error: 'Exclusion not performed. Member still has ongoing enrollments',
    cause: 'Movements of the same benefits are open; `enrollment-ids` lists them.',
    mend: 'Wait until they are resolved, then repeat.',
  },
  'ambiguous-product': {
    status: 409,
    error: 'More than one active benefit found for this product',
    cause: 'The product is held more than once; `benefit-ids` lists the benefits. Nothing was excluded.',
    mend: 'Exclude by benefit.',
  },
  'ambiguous-company': {
    status: 409,
    error: 'Active benefits found in more than one company',
    cause: 'Several companies of the client match. Nothing was done.',
    mend: 'Name the company, or exclude by benefit with one of `benefit-ids`.',
  },
  'enrollment-reached-carrier': {
    status: 409,
    error: 'Enrollment has reached the carrier',
    cause:
      'A partner withdraws an enrollment that is, or once was, `carrier-processing`; of a whole one part is enough.',
    mend: 'Ask the operator.',
  },
  'enrollment-not-pending': {
    status: 409,
    error: 'Enrollment is not pending',
    cause: 'Only an enrollment that is `pending-documents` or `pending-correction` is answered.',
    mend: 'Read it again: it was answered, or has gone on.',
  },
  'benefit-not-under-extension-plan': {
    status: 409,
    error: 'Benefit is not under an extension plan',
    cause: 'Only a benefit that an extension plan keeps is ended by this operation.',
    mend: 'Use an exclusion.',
  },
  'last-admin': {
    status: 409,
    error: 'The last admin cannot be removed',
    cause: 'Without an admin nobody could create one. Changing its role is refused, too.',
    mend: 'Create another admin first.',
  },
  'no-former-secret': {
    status: 409,
    error: 'There is no former secret',
    cause: 'The client or operator has one valid secret, which only a revocation ends.',
    mend: 'Rotate the secret first.',
  },
  'invoice-of-another-company': {
    status: 409,
    error: 'Invoice belongs to another company',
    cause: 'The id of the invoice was used for another company.',
    mend: 'Use another id, or the CNPJ that the invoice was created with.',
  },
  'invoice-file-not-payment-slip': {
    status: 409,
    error: 'Invoice file is not a payment slip',
    cause: 'Only payment slips are paid or cancelled.',
    mend: 'Name a file of the type `payment-slip`.',
  },
  'paid-payment-slip': {
    status: 409,
    error: 'Invoice has a paid payment slip',
    cause: 'A payment slip of the invoice is `paid`: neither the invoice nor its files are deleted.',
    mend: 'If it is not paid, set its status first.',
  },
  'import-id-used': {
    status: 409,
    error: 'Import id already used',
    cause: 'An import with this id was begun before.',
    mend: 'Read that import, or send the file under a new id: what was imported does not change.',
  },
  'webhook-endpoint-disabled': {
    status: 409,
    error: 'Webhook endpoint is disabled',
    cause: 'Nothing is sent to a disabled endpoint.',
    mend: 'Enable it with `PATCH` first.',
  },
  'upload-address-expired': {
    status: 410,
    error: 'Upload address expired or used',
    cause: 'An upload address is valid for 30 minutes and one file.',
    mend: 'Get another one.',
  },
  'range-not-satisfiable': {
    status: 416,
    error: 'Range not satisfiable',
    cause: 'The file has none of the bytes of `Range`; `Content-Range` tells its size.',
    mend: 'Correct `Range`, or leave it out.',
  },
  'too-many-unused-documents': {
    status: 429,
    error: 'Too many unused documents: use them in movements; what no movement uses is deleted after 7 days',
    cause: 'The client has too many documents, or bytes of them, that no movement uses.',
    mend: 'Use them in movements, or wait.',
  },
  'upload-in-progress': {
    status: 503,
    error: 'An upload to this address is under way',
    cause: 'Another upload to the same address has not ended.',
    mend: wait,
  },
  'document-storage-unavailable': { status: 503, error: 'Document storage unavailable', cause: storage, mend: wait },
  'invoice-storage-unavailable': { status: 503, error: 'Invoice file storage unavailable', cause: storage, mend: wait },
  'import-storage-unavailable': { status: 503, error: 'Import file could not be kept', cause: storage, mend: wait },
  'import-broke-off': {
    status: 503,
    error: 'Import broke off',
    cause: 'The import was interrupted; `import-id` names it. What was imported stays.',
    mend: 'Send the same file again, under a new id.',
  },
  'too-many-batches': {
    status: 503,
    error: 'Too many large batches at once',
    cause: 'As many large inclusions as are allowed are in progress.',
    mend: wait,
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>

export type ErrorCode = keyof typeof ERRORS

/** The codes of one status. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]['status'] extends Status ? Code : never
}[ErrorCode]

/** Sorted. */
export const ERROR_CODES = (Object.keys(ERRORS) as ErrorCode[]).toSorted()
