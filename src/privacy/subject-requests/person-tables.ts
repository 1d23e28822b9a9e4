/*
 * What the database holds of a person, by table. A row is given whole but for the columns in `omit`, so that a new column is in the copy of
 * the data from its first day. Conditions take the company as $1, the member's id as $2 (null: the person is no member there) and the CPF as $3.
 */

/** SQL: the benefits of the person in the company. */
const ofBenefits = (table: string) =>
  `${table}.company_id = $1 and ${table}.benefit_id in (select benefit.id from benefit where benefit.company_id = $1 and benefit.member_id = $2)`

/** SQL: movements of the person, also those of an inclusion that never made a member. */
const ofMovements = (id: string) => `${id} in (select enrollment.id from enrollment where enrollment.company_id = $1
  and (enrollment.member_id = $2 or enrollment.member_tax_id = $3 and not exists (
    select from member where member.company_id = $1 and member.id = enrollment.member_id)))`

export interface PersonalTable {
  readonly of: string
  /** Ids, what is computed from other columns, and what is of other people. */
  readonly omit: readonly string[]
  /** SQL of a JSON object whose keys are added: names in place of ids. */
  readonly add?: string
  readonly orderBy: string
}

const ofMovement = (table: string): string => `${table}.company_id = $1 and ${ofMovements(`${table}.enrollment_id`)}`

/** SQL: the month of a closing. */
const monthOf = (
  table: string,
): string => `(select jsonb_build_object('reference-month', closing.reference_month) from closing
  where closing.company_id = ${table}.company_id and closing.id = ${table}.closing_id)`

export const personalTables = {
  member: {
    of: 'member.company_id = $1 and member.id = $2',
    omit: ['company_id', 'id', 'details', 'search_text', 'search_email'],
    add: 'member.details',
    orderBy: 'member.id',
  },
  member_cost_center: {
    of: 'member_cost_center.company_id = $1 and member_cost_center.member_id = $2',
    omit: ['company_id', 'member_id'],
    orderBy: 'member_cost_center.changed_at',
  },
  member_removal: {
    of: 'member_removal.company_id = $1 and member_removal.tax_id = $3',
    omit: ['company_id'],
    orderBy: 'member_removal.removed_at',
  },
  benefit: {
    of: 'benefit.company_id = $1 and benefit.member_id = $2',
    omit: [
      'company_id',
      'member_id',
      'product_id',
      'primary_member_id',
      'replaces_company_id',
      'replaces_id',
      'card_key',
    ],
    add: `(select jsonb_build_object('product-name', product.name, 'product-type', product.product_type, 'carrier-name', product.carrier_name)
      from product where product.company_id = benefit.company_id and product.id = benefit.product_id)`,
    orderBy: 'benefit.start_date, benefit.id',
  },
  benefit_correction: {
    of: ofBenefits('benefit_correction'),
    omit: ['company_id', 'id', 'author'],
    orderBy: 'benefit_correction.id',
  },
  benefit_ending: {
    of: ofBenefits('benefit_ending'),
    omit: ['company_id'],
    orderBy: 'benefit_ending.created_at',
  },
  draft_exclusion: {
    of: ofBenefits('draft_exclusion'),
    omit: ['company_id', 'id', 'decided_by', 'request_id'],
    orderBy: 'draft_exclusion.id',
  },
  continuation: {
    of: ofBenefits('continuation'),
    omit: ['company_id', 'id', 'open_benefit_id'],
    orderBy: 'continuation.id',
  },
  request: {
    of: `request.company_id = $1 and (request.failures @> jsonb_build_array(jsonb_build_object('tax-id', $3::text)) or request.id in (
      select enrollment.request_id from enrollment where enrollment.company_id = $1 and ${ofMovements('enrollment.id')}))`,
    omit: ['company_id', 'client_id', 'failures', 'resolution'],
    add: `jsonb_build_object('failures', (select jsonb_agg(failure) from jsonb_array_elements(request.failures) failure
      where failure ->> 'tax-id' = $3::text))`,
    orderBy: 'request.created_at, request.id',
  },
  enrollment: {
    of: `enrollment.company_id = $1 and ${ofMovements('enrollment.id')}`,
    omit: [
      'company_id',
      'assignee',
      'member_id',
      'primary_member_id',
      'product_id',
      'primary_enrollment_id',
      'destination_company_id',
      'destination_product_id',
      'new_benefit_id',
      'data',
    ],
    add: `jsonb_build_object('data', enrollment.data - 'documents')`,
    orderBy: 'enrollment.created_at, enrollment.id',
  },
  enrollment_history: {
    of: ofMovement('enrollment_history'),
    omit: ['company_id', 'actor_id'],
    orderBy: 'enrollment_history.enrollment_id, enrollment_history.step',
  },
  enrollment_note: {
    of: ofMovement('enrollment_note'),
    omit: ['company_id', 'id', 'author'],
    orderBy: 'enrollment_note.id',
  },
  deadline_event: {
    of: ofMovement('deadline_event'),
    omit: ['company_id'],
    orderBy: 'deadline_event.until',
  },
  shipment_item: {
    // Those of a change of company are of its destination.
    of: `shipment_item.movement_company_id = $1 and (shipment_item.company_id = $1 or shipment_item.movement_company_id <> shipment_item.company_id)
      and ${ofMovements('shipment_item.enrollment_id')}`,
    omit: [
      'company_id',
      'movement_company_id',
      'shipment_id',
      'unfinished_enrollment_id',
      'unfinished_side',
      'waiting_enrollment_id',
      'dependent_benefit_ids',
      'acknowledgement',
    ],
    add: `(select jsonb_build_object('carrier-name', carrier.name, 'carrier-tax-id', carrier.tax_id, 'ans-registration', carrier.ans_registration,
        'contract-number', contract.contract_number, 'sub-contract', nullif(contract.sub_contract, ''), 'channel', contract.channel,
        'number', shipment.number, 'sent-at', iso(shipment.sent_at), 'closed-at', iso(shipment.closed_at))
      from shipment join contract on contract.company_id = shipment.company_id and contract.id = shipment.contract_id
      join carrier on carrier.id = contract.carrier_id
      where shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id)`,
    orderBy: 'shipment_item.updated_at, shipment_item.enrollment_id',
  },
  carrier_line: {
    of: `carrier_line.company_id = $1 and (carrier_line.benefit_id in (
      select benefit.id from benefit where benefit.company_id = $1 and benefit.member_id = $2)
      or carrier_line.benefit_id is null and carrier_line.tax_id = $3)`,
    omit: ['company_id', 'file_id', 'kind', 'unread', 'stated_total', 'summed_total'],
    add: `(select jsonb_build_object('carrier-file-kind', carrier_file.kind,
        'reference-month', carrier_file.reference_month, 'carrier-name', carrier.name)
      from carrier_file join contract on contract.company_id = carrier_file.company_id and contract.id = carrier_file.contract_id
      join carrier on carrier.id = contract.carrier_id
      where carrier_file.company_id = carrier_line.company_id and carrier_file.id = carrier_line.file_id)`,
    orderBy: 'carrier_line.file_id, carrier_line.line_number',
  },
  discrepancy: {
    of: ofBenefits('discrepancy'),
    omit: ['company_id', 'reconciliation_id', 'assignee', 'request_id', 'claim_id'],
    orderBy: 'discrepancy.created_at, discrepancy.id',
  },
  claim_line: {
    of: `claim_line.company_id = $1 and claim_line.discrepancy_id in (
      select discrepancy.id from discrepancy where ${ofBenefits('discrepancy')})`,
    omit: ['company_id', 'claim_id', 'credited_file_id', 'credited_line'],
    orderBy: 'claim_line.discrepancy_id',
  },
  closing_expected: {
    of: 'closing_expected.company_id = $1 and closing_expected.member_id = $2',
    omit: ['company_id', 'closing_id', 'contract_id', 'member_id'],
    add: monthOf('closing_expected'),
    orderBy: 'closing_expected.closing_id, closing_expected.contract_id, closing_expected.benefit_id',
  },
  closing_charge: {
    of: 'closing_charge.company_id = $1 and closing_charge.member_id = $2',
    // The cost center is that of the employee.
    omit: [
      'company_id',
      'closing_id',
      'number',
      'contract_id',
      'member_id',
      'employee_member_id',
      'cost_center',
      'product_id',
    ],
    add: monthOf('closing_charge'),
    orderBy: 'closing_charge.closing_id, closing_charge.number',
  },
  onboarding_invitation: {
    of: 'onboarding_invitation.company_id = $1 and onboarding_invitation.tax_id = $3',
    omit: [
      'company_id',
      'id',
      'created_by',
      'token_hash',
      'products',
      'attempts',
      'session_hash',
      'session_expires_at',
      'submission',
      'request_id',
      'open_tax_id',
    ],
    add: `jsonb_build_object('member', onboarding_invitation.submission -> 'member')`,
    orderBy: 'onboarding_invitation.created_at',
  },
  payroll_export_line: {
    of: 'payroll_export_line.company_id = $1 and payroll_export_line.member_id = $2',
    omit: ['company_id', 'export_id', 'member_id', 'kind'],
    add: `jsonb_build_object('payroll-kind', payroll_export_line.kind) || (select jsonb_build_object('reference-month', payroll_export.reference_month, 'created-at', iso(payroll_export.created_at))
      from payroll_export where payroll_export.company_id = payroll_export_line.company_id and payroll_export.id = payroll_export_line.export_id)`,
    orderBy: 'payroll_export_line.export_id, payroll_export_line.kind',
  },
} as const satisfies Readonly<Record<string, PersonalTable>>
export type PersonalTableName = keyof typeof personalTables

const accounts = 'accounts of people have no CPF'
const settings = 'settings of companies, contracts and the installation'
const technical = 'keys, counters and queues of the service'
const events = 'ids and statuses only'
const files = 'files of a company, whole'

/** Tables that the copy of a person's data does not read by a condition of above, and why. */
export const otherTables: Readonly<Record<string, string>> = {
  audit: 'read by src/privacy/subject-requests/disclosures.ts',
  audit_block: technical,
  audit_head: technical,
  audit_pending: technical,
  authentication_failure: technical,
  carrier: settings,
  carrier_file: 'its lines are given',
  claim: 'its lines are given',
  client: accounts,
  client_secret: accounts,
  closing: 'figures of a company',
  column_profile: settings,
  company: 'its contacts have no CPF',
  completed_sign_in: accounts,
  contract: settings,
  contract_channel: settings,
  contract_plan: settings,
  contribution_rule: settings,
  decision_job: 'deleted after 30 days; what it did is in the movements',
  decision_job_line: 'deleted after 30 days; what it did is in the movements',
  document: 'read by src/privacy/subject-requests/person-data.ts, with the movements that used them',
  encrypted_key: technical,
  entitlement: 'read by src/privacy/subject-requests/disclosures.ts',
  erasure: 'the plan of an erasure, without who it was',
  event: events,
  event_batch: technical,
  held_decision: 'a copy of a movement for minutes',
  idempotency_key: 'encrypted responses of a day',
  invoice: 'figures of a company',
  invoice_config: settings,
  invoice_file: files,
  invoice_owner: technical,
  layout: settings,
  legal_hold: 'an order not to delete, as of a court',
  member_import: files,
  member_import_dry_run_benefit: 'deleted with the dry run',
  member_import_error:
    'lines as they came, of whole families: the numbers of the lines are given by src/privacy/subject-requests/person-data.ts',
  migration: technical,
  movement_item: 'a movement for the seconds until it is stored',
  onboarding_document: 'of 30 days; those of an approved invitation are documents of its movements',
  leaving_movement: 'a note on a movement',
  open_movement: 'a copy of a movement',
  operator_session: accounts,
  orphan_file: technical,
  passkey: accounts,
  payroll_export: 'its lines are given',
  payroll_profile: settings,
  person: accounts,
  price_table: settings,
  product: settings,
  rate_limit_usage: technical,
  reconciliation: 'its discrepancies are given',
  requirement_rule: settings,
  sandbox_outcome: 'staging only',
  saved_view: settings,
  service_metadata: technical,
  shipment: 'its items are given',
  shipment_answer_file: 'names of files',
  shipment_delivery: technical,
  shipment_file: files,
  signing_key: technical,
  stored_response_usage: technical,
  subject_request: 'read by src/privacy/subject-requests/person-data.ts',
  webhook_delivery: events,
  webhook_endpoint: settings,
  webhook_fan_out: technical,
  webhook_secret: technical,
  webhook_test_event: events,
  work: technical,
  work_client: technical,
}
