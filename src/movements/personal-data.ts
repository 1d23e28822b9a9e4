import type { PersonalData } from '#platform/core/personal-data.ts'
import { ofBenefits, ofMovements, ofMovement } from '#coverage/personal-data.ts'

const settings = 'settings of companies, contracts and the installation'
const files = 'files of a company, whole'

/** The tables that this district writes. */
export const personalData = {
  request: {
    copy: {
      of: `request.company_id = $1 and (request.failures @> jsonb_build_array(jsonb_build_object('tax-id', $3::text)) or request.id in (
      select enrollment.request_id from enrollment where enrollment.company_id = $1 and ${ofMovements('enrollment.id')}))`,
      omit: ['company_id', 'client_id', 'failures', 'resolution'],
      add: `jsonb_build_object('failures', (select jsonb_agg(failure) from jsonb_array_elements(request.failures) failure
      where failure ->> 'tax-id' = $3::text)) || coalesce((
        select jsonb_build_object('medium', request_intake.medium, 'received_at', request_intake.received_at) from request_intake
        where request_intake.company_id = $1 and request_intake.request_id = request.id), '{}')`,
      orderBy: 'request.created_at, request.id',
    },
    erased: 'failures',
    searched: 'reference',
    replacedOfPeople: 'failures',
    account: 'client_id',
    none: 'request_type alteration_kind status resolution',
  },
  request_intake: {
    copy: 'who asked the broker in the name of a company; how and when is in the request',
    searched: 'requester_name requester_contact',
    none: 'medium',
  },
  benefit_correction: {
    copy: {
      of: ofBenefits('benefit_correction'),
      omit: ['company_id', 'id', 'author'],
      orderBy: 'benefit_correction.id',
    },
    erased: 'old_value new_value reason',
    searched: 'reason',
    searchedForCpf: 'old_value new_value',
    account: 'author',
    none: 'field',
  },
  benefit_ending: {
    copy: {
      of: ofBenefits('benefit_ending'),
      omit: ['company_id'],
      orderBy: 'benefit_ending.created_at',
    },
    none: 'cause',
  },
  enrollment_presence: {
    copy: 'which operator has a movement open: for a minute',
    account: 'operator_id',
  },
  deadline_event: {
    copy: {
      of: ofMovement('deadline_event'),
      omit: ['company_id'],
      orderBy: 'deadline_event.until',
    },
    none: 'kind',
  },
  draft_exclusion: {
    copy: {
      of: ofBenefits('draft_exclusion'),
      omit: ['company_id', 'id', 'decided_by', 'request_id'],
      orderBy: 'draft_exclusion.id',
    },
    searched: 'discard_reason',
    account: 'decided_by',
    none: 'cause exclusion_reason status',
  },
  movement_draft: {
    copy: 'its items are in the copy',
    searched: 'reference comment guard_reasons',
    replacedOfPeople: 'intake',
    account: 'created_by',
    none: 'source movement status closed_because guard scope_key broken_reason',
  },
  movement_draft_item: {
    copy: {
      of: 'movement_draft_item.company_id = $1 and (movement_draft_item.member_id = $2 or movement_draft_item.tax_id = $3)',
      omit: [
        'company_id',
        'draft_id',
        'number',
        'member_id',
        'family',
        'request_id',
        'decided_by',
        'address',
        'request_trace_id',
        'search_text',
      ],
      orderBy: 'movement_draft_item.draft_id, movement_draft_item.number',
    },
    erased: 'tax_id name employee_id entry differences reason',
    searched: 'reason',
    account: 'decided_by address',
    none: 'class movement status approval family member_type product_name explanation needs offenses request_trace_id search_text',
  },
  roster_sync: {
    copy: 'what a list was; its people are in the items of its draft',
    searched: 'reference file_name sheet sheets_not_read',
    replaced: 'warnings problems',
    replacedOfPeople: 'intake',
    account: 'created_by address',
    none: 'states within scope_key defaults accept_doubts status storage_key format sha256 request_trace_id compared_through tally doubts',
  },
  roster_line: { copy: 'a list for the minutes until it is compared', passing: 'tax_id data offenses' },
  roster_person: { copy: 'a list for the minutes until it is compared', passing: 'family role matched_by' },
  roster_item: { copy: 'a list for the minutes until it is compared', passing: 'family item' },
  roster_policy: { copy: settings, none: 'automatic' },
  decision_job: {
    copy: 'deleted after 30 days; what it did is in the movements',
    searched: 'unknown_columns sheets_not_read',
    replacedOfPeople: 'decision',
    account: 'actor address',
    none: 'request_trace_id status reason',
  },
  decision_job_line: {
    copy: 'deleted after 30 days; what it did is in the movements',
    replacedOfPeople: 'decision result',
  },
  held_decision: { copy: 'a copy of a movement for minutes', none: 'status' },
  member_import: {
    copy: files,
    searched: 'file_name csv_header unknown_columns',
    replaced: 'warnings file_warnings column_profile sheets',
    account: 'actor company_tax_id',
    none: 'status',
  },
  member_import_dry_run_benefit: { copy: 'deleted with the dry run', erased: 'tax_id', none: 'type status' },
  member_import_error: {
    copy: 'lines as they came, of whole families: the numbers of the lines are given by src/privacy/subject-requests/person-data.ts',
    searched: 'content',
    none: 'offenses',
  },
  movement_item: {
    copy: 'a movement for the seconds until it is stored',
    passing: 'subject requires tax_id reference payload',
    none: 'kind type',
  },
  onboarding_document: {
    copy: 'of 30 days; those of an approved invitation are documents of its movements',
    erased: 'storage_key name',
    searched: 'name',
    none: 'content_type',
  },
  onboarding_invitation: {
    copy: {
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
    erased: 'name tax_id employee_id cost_center job_title submission return_message open_tax_id',
    searched: 'cost_center job_title return_message',
    replacedOfPeople: 'submission',
    account: 'created_by',
    none: 'token_hash status products session_hash',
  },
  leaving_movement: { copy: 'a note on a movement' },
  sandbox_outcome: { copy: 'staging only', passing: 'card_number', searched: 'reason', none: 'outcome' },
  saved_view: { copy: settings, searched: 'name', replaced: 'filters', account: 'created_by', none: 'area name_key' },
  column_profile: { copy: settings, replaced: 'columns words' },
} as const satisfies PersonalData
