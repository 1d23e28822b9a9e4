/*
 * What becomes of each column that can hold text when a person is erased. test/tidy/personal-columns.test.ts compares it with the database: a
 * new column needs its place here, and a statement in `statements.ts` if it is `erased`.
 */

/** Names of columns, with spaces between. */
interface Columns {
  /** Of the person: the statement of the table empties them. */
  readonly erased?: string
  /** Free text: replaced as a whole where it has the CPF, the name or an e-mail address. */
  readonly searched?: string
  /** JSON of others that may name the person: the CPF and the e-mail addresses are replaced in it. */
  readonly replaced?: string
  /** Deleted within days, or once the work is done: see src/domain/retention-classes.ts. */
  readonly passing?: string
  /** Of who uses the service, of companies and of carriers: not of people who have benefits. */
  readonly account?: string
  /** Ids, closed sets, numbers, hashes and secrets. */
  readonly none?: string
}

export const personalColumns = {
  audit: { account: 'actor address', none: 'action target request_trace_id' },
  audit_block: { none: 'digests previous hash' },
  audit_head: { none: 'hash mac' },
  audit_pending: {},
  authentication_failure: {},
  benefit: {
    erased: 'card_number carrier_certificate carrier_dependent_code end_reason card_key',
    searched: 'end_reason',
    none: 'type dependent_type status carrier_plan_code',
  },
  benefit_correction: { erased: 'old_value new_value reason', searched: 'reason', account: 'author', none: 'field' },
  benefit_ending: { none: 'cause' },
  carrier: { account: 'name key ans_registration tax_id' },
  carrier_file: {
    erased: 'storage_key',
    searched: 'name',
    account: 'created_by',
    none: 'kind reference_month layout_id sha256 status problems',
  },
  carrier_line: {
    erased: 'card_number certificate dependent_code tax_id employee_id name details',
    none: 'record kind problems unread member_type dependent_type plan_code entry_type entry_code entry_period matched_by',
  },
  claim: { searched: 'note', account: 'created_by', none: 'reference_month status carrier_protocol' },
  claim_line: {},
  client: { account: 'id name', none: 'api role' },
  client_secret: { account: 'client_id', none: 'hash' },
  closing: { replaced: 'acts', none: 'reference_month status figures' },
  closing_charge: { none: 'source missing_share member_type cost_center' },
  closing_expected: { none: 'line' },
  column_profile: { none: 'columns words' },
  company: { account: 'tax_id name search_name contacts' },
  completed_sign_in: { none: 'state_hash' },
  continuation: { none: 'ground status not_eligible_reason end_reason prices' },
  contract: {
    account: 'contract_number sub_contract carrier_company_code ans_registration carrier_tax_id contacts',
    none: 'lives retirement_remainder age_on proration channel calendar status layouts code_map acknowledgement_mapping fees',
  },
  contract_channel: { account: 'settings', none: 'sftp_password sftp_private_key connector_secret' },
  contract_plan: { none: 'status carrier_plan_code ans_plan_number plan_version' },
  contribution_rule: { none: 'primary_share dependent_share coparticipation_share cost_centers job_titles' },
  deadline_event: { none: 'kind' },
  decision_job: { passing: 'decision', account: 'actor address', none: 'request_trace_id status reason' },
  decision_job_line: { passing: 'decision result' },
  discrepancy: { erased: 'expected found', searched: 'note', account: 'assignee', none: 'class explanation status' },
  document: { erased: 'storage_key name', account: 'client_id', none: 'content_type' },
  draft_exclusion: { searched: 'discard_reason', account: 'decided_by', none: 'cause exclusion_reason status' },
  encrypted_key: { none: 'name value' },
  enrollment: {
    erased: 'reference reason member_tax_id carrier_protocol data answers',
    searched: 'reference reason',
    replaced: 'data answers',
    account: 'assignee',
    none: 'enrollment_type alteration_kind status continuation_refusal pending_items member_type product_name start_option scheduled_reason initial_status initial_actor',
  },
  enrollment_history: { erased: 'reason', searched: 'reason', account: 'actor_id', none: 'status actor' },
  enrollment_note: { erased: 'text', searched: 'text', account: 'author' },
  entitlement: { account: 'client_id' },
  erasure: { account: 'planned_by approved_by', none: 'plan' },
  event: { erased: 'data', none: 'type' },
  event_batch: {},
  held_decision: { none: 'status' },
  idempotency_key: { passing: 'encrypted_response', account: 'client_id', none: 'key_hash fingerprint' },
  invoice: { none: 'id carrier_name' },
  invoice_config: { none: 'carrier_key' },
  invoice_file: { erased: 'storage_key', searched: 'name', none: 'invoice_id type content_type status' },
  invoice_owner: { none: 'id' },
  layout: { none: 'id name direction format definition source' },
  legal_hold: { erased: 'tax_id reason release_reason held_tax_id', account: 'created_by released_by' },
  member: {
    erased: 'tax_id name mothers_name marital_status employee_id details search_text search_email',
    replaced: 'details',
    none: 'gender cost_center',
  },
  member_cost_center: { none: 'cost_center' },
  member_import: {
    searched: 'file_name',
    account: 'actor company_tax_id',
    none: 'status warnings csv_header unknown_columns file_warnings column_profile',
  },
  member_import_dry_run_benefit: { passing: 'tax_id', none: 'type status' },
  member_import_error: { searched: 'content', none: 'offenses' },
  member_removal: { erased: 'tax_id' },
  migration: { none: 'name digest' },
  movement_item: { passing: 'subject requires tax_id reference payload', none: 'kind type' },
  onboarding_document: { erased: 'storage_key name', none: 'content_type' },
  onboarding_invitation: {
    erased: 'name tax_id employee_id cost_center job_title submission return_message open_tax_id',
    replaced: 'submission',
    account: 'created_by',
    none: 'token_hash status products session_hash',
  },
  open_movement: {
    passing: 'member_tax_id carrier_protocol',
    account: 'assignee',
    none: 'enrollment_type alteration_kind status member_type',
  },
  operator_session: { account: 'client_id', none: 'token_hash signed_in_with' },
  orphan_file: { none: 'key' },
  passkey: { account: 'client_id credential_id public_key transports name' },
  payroll_export: { account: 'created_by', none: 'reference_month layout_id' },
  payroll_export_line: { none: 'kind event' },
  payroll_profile: { none: 'layout_id primary_event dependent_event coparticipation_event' },
  person: { account: 'client_id email password_hash link_hash' },
  price_table: { none: 'carrier_plan_code kind prices' },
  product: {
    none: 'name name_key carrier_name carrier_key product_type allowed_dependent_types allowed_start_options age_limits',
  },
  rate_limit_usage: { account: 'client_id', none: 'class' },
  reconciliation: { account: 'created_by', none: 'kind reference_month status' },
  request: {
    searched: 'reference',
    replaced: 'failures',
    account: 'client_id',
    none: 'request_type alteration_kind status resolution',
  },
  requirement_rule: { none: 'name conditions require enforcement' },
  sandbox_outcome: { passing: 'reason card_number', none: 'outcome' },
  saved_view: { searched: 'name', account: 'created_by', none: 'area name_key filters' },
  service_metadata: { none: 'name value' },
  shipment: { account: 'sent_by sent_address', none: 'status layout_id carrier_protocol sent_trace_id' },
  shipment_answer_file: { searched: 'name', none: 'error' },
  shipment_delivery: { account: 'requested_by requested_address', none: 'channel status requested_trace_id error' },
  shipment_file: { erased: 'content', none: 'name media_type sha256' },
  shipment_item: {
    erased: 'carrier_protocol carrier_message acknowledgement',
    none: 'status reason sheets carrier_code',
  },
  signing_key: { none: 'id algorithm public_key private_key' },
  stored_response_usage: { account: 'client_id' },
  subject_request: {
    erased: 'tax_id open_tax_id note cancel_reason',
    account: 'created_by',
    none: 'kind status file_key',
  },
  webhook_delivery: { none: 'status error' },
  webhook_endpoint: { account: 'client_id url', none: 'event_types status disabled_reason url_hash' },
  webhook_fan_out: { account: 'client_id' },
  webhook_secret: { none: 'encrypted_secret' },
  webhook_test_event: { account: 'client_id', none: 'type data' },
  work: { account: 'client_id', none: 'kind' },
  work_client: { account: 'client_id' },
} as const satisfies Readonly<Record<string, Columns>>

export type StoredTable = keyof typeof personalColumns

/** The tables whose rows are of the person, or have columns that are. */
export type ErasedTable = {
  [Table in StoredTable]: (typeof personalColumns)[Table] extends { readonly erased: string } ? Table : never
}[StoredTable]

/** The columns of a table with this treatment. */
export function columnsOf(table: StoredTable, treatment: keyof Columns): string[] {
  const columns: Columns = personalColumns[table]
  return columns[treatment]?.split(' ') ?? []
}
