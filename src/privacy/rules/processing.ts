import type { RetentionClass } from '#kernel/retention-classes.ts'

/*
 * The records of processing (LGPD art. 37): for what the personal data of each field of the API are used, on which ground, and how long they are
 * kept. test/tidy/processing.test.ts compares the fields with the glossary: a new field needs its place here.
 */

const PURPOSES = [
  'administer-benefits',
  'identify-people',
  'pay-and-deduct',
  'check-charges',
  'keep-plans-after-leaving',
  'control-access',
  'account-for-acts',
  'answer-people',
] as const
type Purpose = (typeof PURPOSES)[number]

/** Articles of the LGPD. Those of art. 11 are of health data: which plan a person has, and what it cost. */
const LEGAL_GROUNDS = ['art-7-ii', 'art-7-v', 'art-7-ix', 'art-11-ii-a', 'art-11-ii-d'] as const
type LegalGround = (typeof LEGAL_GROUNDS)[number]

interface Processing {
  readonly purpose: Purpose
  readonly ground: LegalGround
  readonly retention: RetentionClass
  /** Names of fields, with spaces between. */
  readonly fields: string
}

/** The fields that hold data of people, by category. */
export const processing = {
  identity: {
    purpose: 'identify-people',
    ground: 'art-7-v',
    retention: 'benefit',
    fields: `tax-id member-tax-id member-name name preferred-name q date-of-birth dates-of-birth gender mothers-name
      fathers-name marital-status age member-id members member profile registrations repaired-tax-id tax-id-ending
      typed-name person`,
  },
  documents: {
    purpose: 'identify-people',
    ground: 'art-7-ii',
    retention: 'benefit',
    fields: `cns cbo pis birth-declaration-number identity-document-issued-at identity-document-issuer
      identity-document-number identity-document-state document-id document-type documents`,
  },
  contact: {
    purpose: 'administer-benefits',
    ground: 'art-7-v',
    retention: 'benefit',
    fields: `address-city address-complement address-neighborhood address-number address-postal-code address-state
      address-street city-ibge-code email-corporate email-private phone`,
  },
  bank: {
    purpose: 'pay-and-deduct',
    ground: 'art-7-v',
    retention: 'benefit',
    fields: `bank-account-number bank-account-owners-name bank-account-owners-tax-id bank-branch-number bank-number`,
  },
  employment: {
    purpose: 'administer-benefits',
    ground: 'art-7-v',
    retention: 'benefit',
    fields: `key admission-date cost-center cost-center-name employee-company-tax-id employee-id job-title
      monthly-salary salary work-contract-type days-since-admission`,
  },
  family: {
    purpose: 'administer-benefits',
    ground: 'art-7-v',
    retention: 'benefit',
    fields: `beneficiary-type dependency-date dependent-code dependent-type dependents family member-type
      primary-member-name primary-member-tax-id relationship student-until too-old-from`,
  },
  disability: { purpose: 'administer-benefits', ground: 'art-11-ii-a', retention: 'benefit', fields: 'disabled' },
  benefits: {
    purpose: 'administer-benefits',
    ground: 'art-11-ii-d',
    retention: 'benefit',
    fields: `corrections extension-plan last-day ends dependent-product-ids benefit benefit-id benefit-ids benefits
      card-number carrier-certificate carrier-dependent-code certificate covered-days end-date end-reason
      start-date waiting-period product-id product-name plan-code`,
  },
  movements: {
    purpose: 'administer-benefits',
    ground: 'art-11-ii-d',
    retention: 'benefit',
    fields: `asked comment difference result values value cells offenses late alteration-data answered-fields answers changes
      carrier-message data enrollment-id enrollment-ids exclusion-details exclusion-reason
      exclusion-reason-details movement new note old pending-items reason requested-at requested-start-date
      parts status-by-tax-id text message carrier-protocol enrollment-status enrollment-type expected-start-date
      failed-conditions missing-documents problems reference scheduled-action-date status waits-for-primary
      intake medium received-at requester-name requester-contact`,
  },
  continuation: {
    purpose: 'keep-plans-after-leaving',
    ground: 'art-7-ii',
    retention: 'benefit',
    fields: `ground term-start continuation-id contributed contribution-months eligible keeps-working-after-retirement
      leaving-date notice-date not-eligible-reason option option-date option-until primary-death-date term-end`,
  },
  charges: {
    purpose: 'check-charges',
    ground: 'art-11-ii-d',
    retention: 'carrier-file',
    fields: `explanation amount expected found discrepancies discrepancy matched-by premium entry-period cover-month age-day
      birthday causes claim company-amount employee from-category moved-by sentence share term terms`,
  },
  coparticipation: {
    purpose: 'check-charges',
    ground: 'art-11-ii-d',
    retention: 'carrier-file',
    fields: 'coparticipation',
  },
  payroll: {
    purpose: 'pay-and-deduct',
    ground: 'art-11-ii-a',
    retention: 'invoice',
    fields: `whole-cost skip deducted dependent-amounts employee-amount employee-total by-person deducted-without-charge destination
      next-change origin-month since-month
      balance first-day fits later-until leavers other-compensation remuneration rest`,
  },
  onboarding: {
    purpose: 'administer-benefits',
    ground: 'art-11-ii-d',
    retention: 'draft',
    fields: 'submitted-at opened-at choice choices invitation-id return-message submission',
  },
  drafts: {
    purpose: 'administer-benefits',
    ground: 'art-11-ii-d',
    retention: 'draft',
    fields: 'differences here stated guard-reasons needs also-ends',
  },
  imports: {
    purpose: 'administer-benefits',
    ground: 'art-7-v',
    retention: 'import',
    fields: 'batch row-errors row-warnings',
  },
  accounts: {
    purpose: 'control-access',
    ground: 'art-7-ix',
    retention: 'account',
    fields: `credential current-password password signed-in-with to cc actor actor-id actor-name assignee author by client-id
      client-name client_id contacts created-by decided-by email last-sign-in-at last-used-at passkey-id
      passkeys person-id planned-by approved-by released-by requested-by sent-by sessions link role`,
  },
  audit: {
    purpose: 'account-for-acts',
    ground: 'art-7-ii',
    retention: 'audit',
    fields: 'address target target-name readers ids',
  },
  requests: {
    purpose: 'answer-people',
    ground: 'art-7-ii',
    retention: 'subject-request',
    fields: 'file cancel-reason received-on release-reason subject-request-id mentions record-id remaining',
  },
} as const satisfies Readonly<Record<string, Processing>>

/**
 * Names of fields that hold no data of people: ids of other things, settings, figures, statuses, times, what calls are made of, and lists whose
 * items have fields of their own.
 */
export const notPersonal = `
  broker-name correction-fields logo logo-url reason-templates
  charged-beyond-end if-missed lost-if-missed money per-month uncovered-days-if-missed window-until
  at-carrier by-cause by-certainty by-class firm forecast frozen-at incomplete last-amount later later-by-invoice lost missing-settings not-forecast retroactive-exclusion
  retroactive-inclusion scheduled unit variance without-price
  guard guard-people guard-percent min-presence-percent covered leaving is-over by-number-only
  failed-at failure formula-guard from-line sheets-not-read sheets-read step-id target-id
  1-to-3-days 4-to-7-days accepted access-token access_token acknowledgement acknowledgement-mapping act action active
  active-on acts advance-days after after-cut-off after-days age-band age-from age-limits age-on age-until ageing-dependents align
  allocated allocation allowed allowed-dependent-types allowed-start-options alteration-kind ambiguous
  anniversary-month ans-plan-number ans-registration answer-until answer-within-business-days answered answered-at
  any-of api-version applied-days approaching-deadlines approval approved-at area as as-of at attempt attempted-at attempts backlog
  basis-points before beneficiary-types billing-day block blocks body broken-reason built-in business-date by-assignee
  calendar cancelled carrier-code carrier-company-code carrier-file-id carrier-hand-over carrier-id carrier-name
  carrier-names carrier-plan-code carrier-tax-id carrier-total category cause cell certainty changed channel checklist
  claim-id claimed claimed-total claims class classes client-secret client_secret closed-at closed-because closing-id code code-map
  column column-profile columns companies company-id company-name company-tax-id company-tax-ids completed completes
  computed-at computed-total confirm confirmed connector content-type continuations contract contract-fees contract-id contract-number
  contract-start contracts contribution-rule-id contributory coparticipation-employee-share corrected cost-centers
  amounts count counts coverage-day coverage-month-offset coverage-start covered-lives created created-at credited-in
  credited-total current-page cut-off-business-days-before-billing cut-off-date cut-off-day date days days-left
  days-since-admission-over deadlines declaration declared-total definition deliver deliveries dependent
  dependent-employee-share dependent-types destination-company-tax-id details digits-after direction disabled-reason
  disclose discarded discrepancy-id discrepancy-ids document-index held superseded document-types done draft-claims draft-exclusion draft-id drop dry-run due
  due-before due-date due-from due-kind due-until emit employees encoding ended-benefits endpoint-id ends-at
  effective-month enforcement enrollment-summary entry-code entry-type environment equals error errors event event-id event-type
  event-types events except exception exceptions exclusion-reasons expected-head expected-total expires expires-at expires-in
  expired expires-in-days expires-on expires_in explained exported failing failing-since failing-webhooks field figures file-id file-name
  file-sha256 files filter filters findings finished-at first-cell flags format former-business-date
  former-secret-ends-at frequencies frequency from from-at from-date from-dt grant_type group group-by hand has-password has-private-key
  head help header-lines header-row heading held-decision history holidays host host-key id idempotency-key
  identity-provider idle-expires-at import-id in-folder in-force include include-inactive index intact invoice
  basis due-in has-difference rule invoice-config-id invoice-id invoice-kind invoices replaced-by too-much too-little credited median-days-to-credit repeated is-refused invoice-status is-ambiguous is-current is-mail-on is-person is-stored items items-per-page job-id
  job-titles keys kind language last-day-for-exemption last-error last-success-at last-updated-at layout-id
  layout-version layouts legal-hold-id length line line-ending line-number line-numbers lines lines-without-price
  link-expires-at links literal lives made-at mail mail-id mailed map match matches max-age media-type median-seconds member-lines missing
  missing-setting month month-count months moved-days movements movements-of-30-days negative-when new-company-tax-id
  new-product-id new-secret next-7-days next-attempt-at next-cut-off next-page norm norms not-ready notes notes-count
  number of offense-details offset oldest-pending-at onboarding onboarding-session onboarding-token open
  open-by-status open-invoice-discrepancies open-items open-roster-discrepancies open-total other-lines out-folder
  outcome outcomes over-7-days overcharged-total overdue overdue-at-carrier overdue-invoices overflow own-holidays
  p90-seconds pad page pagination part-status part-summary payment-slip-due-date payroll payroll-export-id pending
  pending-deliveries people plan-version planned-at plans port position post-paid prefer previous-page price
  price-table-id price-warnings prices primaries primary primary-employee-share private-key product-ids product-type
  product-types products proposed proration proration-day read read-at ready reconciliation-id record record-length
  records reference-month reference-period-end reference-period-start refused refused-lines rejected released-at
  replaced-benefits request-id request-ids request-trace-id request-type requested require required requirement requirements resolution
  resolved-from-dt resolved-until-dt response-status retired retirement-remainder roster row rows rule-id ruler rules
  roster-sync-id sandbox sandbox-outcomes scheduled-movements scheduled-reason scope secret secrets see-discrepancies see-money sent sent-at separator
  service session sftp sha256 sheet sheets shipment shipment-id shipment-number show-discrepancies side sign signature size skip-first-lines
  skip-not-ready skipped sort source start-option starting stated-total stop-at student-max-age sub-contract subject suggestion summed-total
  time-to-resolve timestamp today token token-type token_type tolerance total total-differs total-items total-pages
  total-rows totals type unanswered under-1-day undo-until undoable unknown-columns unknown-values unless unmatched until until-at
  unchanged until-date until-dt until-month updated-at updated-since upload-url url user valid-from version view-id waiting
  warning warnings webhook-endpoint-id webhook-event-id webhook-id webhook-signature webhook-timestamp when
  when-not-business-day within within-days without-end without-person work-contract-types year
  coparticipation-delay-months final-limit bill-amount by-product-type changed-since difference-export differing-months first-export first-month invoice-read-at is-reopened payroll-day refund
  reopened-months run-id tax-figures-by to-bill unpaid-leave
  accept-doubts automatic compared defaults doubt doubts employee-company-tax-ids limit people-count problem states`

/** The names of a list of fields. */
export const fieldsOf = (list: string): string[] => list.trim().split(/\s+/)
