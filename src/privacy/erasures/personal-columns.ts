/*
 * What becomes of each column that can hold text when a person is erased. test/tidy/personal-columns.test.ts compares it with the database: a
 * new column needs its place here, and a statement in `statements.ts` if it is `erased`.
 */

/** Names of columns, with spaces between. */
interface Columns {
  /** Of the person: the statement of the table empties them. */
  readonly erased?: string
  /** Free text of others: the CPF, an e-mail address and the full name are replaced in it, as the plan says. */
  readonly searched?: string
  /** Texts that compare people: only the CPF is replaced. */
  readonly searchedForCpf?: string
  /** JSON, value by value: the same in all its texts. */
  readonly replaced?: string
  /** JSON, value by value: the same in the texts of other people but those by which they are known. */
  readonly replacedOfPeople?: string
  /** Deleted within days, or once the work is done: see src/kernel/retention-classes.ts. */
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
  benefit_correction: {
    erased: 'old_value new_value reason',
    searched: 'reason',
    searchedForCpf: 'old_value new_value',
    account: 'author',
    none: 'field',
  },
  benefit_ending: { none: 'cause' },
  carrier: { account: 'name key ans_registration tax_id' },
  carrier_file: {
    erased: 'storage_key',
    searched: 'name',
    account: 'created_by',
    replaced: 'problems',
    none: 'kind reference_month layout_id sha256 status',
  },
  carrier_line: {
    erased: 'card_number certificate dependent_code tax_id employee_id name details',
    searchedForCpf: 'card_number certificate employee_id name record plan_code entry_code',
    replaced: 'problems unread',
    replacedOfPeople: 'details',
    none: 'kind member_type dependent_type entry_type entry_period matched_by',
  },
  claim: { searched: 'note carrier_protocol', account: 'created_by', none: 'reference_month status' },
  claim_line: {},
  client: { account: 'id name', none: 'api role' },
  client_secret: { account: 'client_id', none: 'hash' },
  closing: { replaced: 'acts figures', none: 'reference_month status' },
  closing_charge: { searched: 'cost_center', none: 'source missing_share member_type' },
  closing_expected: { replacedOfPeople: 'line' },
  column_profile: { replaced: 'columns words' },
  company: { account: 'tax_id name search_name contacts' },
  completed_sign_in: { none: 'state_hash' },
  continuation: { none: 'ground status not_eligible_reason end_reason prices' },
  contract: {
    replaced: 'calendar layouts code_map acknowledgement_mapping fees',
    account: 'contract_number sub_contract carrier_company_code ans_registration carrier_tax_id contacts',
    none: 'lives retirement_remainder age_on proration channel status',
  },
  contract_channel: { account: 'settings', none: 'sftp_password sftp_private_key connector_secret' },
  contract_plan: { none: 'status carrier_plan_code ans_plan_number plan_version' },
  contribution_rule: {
    searched: 'cost_centers job_titles',
    none: 'primary_share dependent_share coparticipation_share',
  },
  deadline_event: { none: 'kind' },
  decision_job: {
    searched: 'unknown_columns sheets_not_read',
    replacedOfPeople: 'decision',
    account: 'actor address',
    none: 'request_trace_id status reason',
  },
  decision_job_line: { replacedOfPeople: 'decision result' },
  discrepancy: {
    erased: 'expected found',
    searched: 'note',
    searchedForCpf: 'expected found',
    account: 'assignee',
    none: 'class explanation status',
  },
  document: { erased: 'storage_key name', searched: 'name', account: 'client_id', none: 'content_type' },
  draft_exclusion: { searched: 'discard_reason', account: 'decided_by', none: 'cause exclusion_reason status' },
  encrypted_key: { none: 'name value' },
  enrollment: {
    erased: 'reference reason member_tax_id carrier_protocol data answers',
    searched: 'reference reason carrier_protocol',
    replaced: 'pending_items',
    replacedOfPeople: 'data answers',
    account: 'assignee',
    none: 'enrollment_type alteration_kind status continuation_refusal member_type product_name start_option scheduled_reason initial_status initial_actor',
  },
  enrollment_history: { erased: 'reason', searched: 'reason', account: 'actor_id', none: 'status actor' },
  enrollment_note: { erased: 'text', searched: 'text', account: 'author' },
  entitlement: { account: 'client_id' },
  erasure: { replaced: 'mentions', account: 'planned_by approved_by', none: 'plan remaining failure' },
  event: { erased: 'data', replacedOfPeople: 'data', none: 'type' },
  event_batch: {},
  held_decision: { none: 'status' },
  idempotency_key: { passing: 'encrypted_response', account: 'client_id', none: 'key_hash fingerprint' },
  invoice: { none: 'id carrier_name' },
  invoice_config: { none: 'carrier_key' },
  invoice_file: { erased: 'storage_key', searched: 'name', none: 'invoice_id type content_type status' },
  invoice_owner: { none: 'id' },
  layout: { searched: 'name source', replaced: 'definition', none: 'id direction format' },
  leaving_movement: {},
  legal_hold: {
    erased: 'tax_id reason release_reason held_tax_id',
    searched: 'reason release_reason',
    account: 'created_by released_by',
  },
  member: {
    erased: 'tax_id name mothers_name marital_status employee_id details search_text search_email',
    searched: 'cost_center',
    replacedOfPeople: 'details',
    none: 'gender',
  },
  member_cost_center: { searched: 'cost_center' },
  member_import: {
    searched: 'file_name csv_header unknown_columns',
    replaced: 'warnings file_warnings column_profile sheets',
    account: 'actor company_tax_id',
    none: 'status',
  },
  member_import_dry_run_benefit: { erased: 'tax_id', none: 'type status' },
  member_import_error: { searched: 'content', none: 'offenses' },
  member_removal: { erased: 'tax_id' },
  migration: { none: 'name digest' },
  movement_item: { passing: 'subject requires tax_id reference payload', none: 'kind type' },
  onboarding_document: { erased: 'storage_key name', searched: 'name', none: 'content_type' },
  onboarding_invitation: {
    erased: 'name tax_id employee_id cost_center job_title submission return_message open_tax_id',
    searched: 'cost_center job_title return_message',
    replacedOfPeople: 'submission',
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
  person: { account: 'client_id email password_hash link_hash sign_in_networks' },
  price_table: { none: 'carrier_plan_code kind prices' },
  product: {
    none: 'name name_key carrier_name carrier_key product_type allowed_dependent_types allowed_start_options age_limits',
  },
  rate_limit_usage: { account: 'client_id', none: 'class' },
  reconciliation: { account: 'created_by', none: 'kind reference_month status' },
  request: {
    erased: 'failures',
    searched: 'reference',
    replacedOfPeople: 'failures',
    account: 'client_id',
    none: 'request_type alteration_kind status resolution',
  },
  requirement_rule: { searched: 'name', replaced: 'conditions require', none: 'enforcement' },
  sandbox_outcome: { passing: 'card_number', searched: 'reason', none: 'outcome' },
  saved_view: { searched: 'name', replaced: 'filters', account: 'created_by', none: 'area name_key' },
  service_metadata: { none: 'name value' },
  shipment: { searched: 'carrier_protocol', account: 'sent_by sent_address', none: 'status layout_id sent_trace_id' },
  shipment_answer_file: { searched: 'name', none: 'error' },
  shipment_delivery: { account: 'requested_by requested_address', none: 'channel status requested_trace_id error' },
  shipment_file: { erased: 'content', none: 'name media_type sha256' },
  shipment_item: {
    erased: 'carrier_protocol carrier_message acknowledgement',
    searched: 'carrier_protocol carrier_message',
    replacedOfPeople: 'acknowledgement',
    none: 'status reason sheets side unfinished_side carrier_code',
  },
  signing_key: { none: 'id algorithm public_key private_key' },
  stored_response_usage: { account: 'client_id' },
  subject_request: {
    erased: 'tax_id open_tax_id note cancel_reason',
    searched: 'note cancel_reason',
    account: 'created_by',
    none: 'kind status file_key',
  },
  webhook_delivery: { none: 'status error' },
  webhook_endpoint: { account: 'client_id url', none: 'event_types status disabled_reason url_hash' },
  webhook_fan_out: { account: 'client_id' },
  webhook_secret: { none: 'encrypted_secret' },
  webhook_test_event: { account: 'client_id', none: 'type data' },
  work: { account: 'client_id', none: 'kind reason error' },
  work_client: { account: 'client_id' },
} as const satisfies Readonly<Record<string, Columns>>

export type StoredTable = keyof typeof personalColumns

/** The tables whose rows are of the person, or have columns that are. */
export type ErasedTable = {
  [Table in StoredTable]: (typeof personalColumns)[Table] extends { readonly erased: string } ? Table : never
}[StoredTable]

/** What is changed where it names the person. */
export const searchedTreatments = ['searched', 'searchedForCpf', 'replaced', 'replacedOfPeople'] as const

/** The columns of a table with this treatment. */
export function columnsOf(table: StoredTable, treatment: keyof Columns): string[] {
  const columns: Columns = personalColumns[table]
  return columns[treatment]?.split(' ') ?? []
}
