import type { PersonalData } from '#platform/core/personal-data.ts'

const settings = 'settings of companies, contracts and the installation'

/** The tables that this district writes. */
export const personalData = {
  carrier: { copy: settings, account: 'name key ans_registration tax_id' },
  company: { copy: 'its contacts have no CPF', account: 'tax_id name search_name contacts' },
  product: {
    copy: settings,
    none: 'name name_key carrier_name carrier_key product_type allowed_dependent_types allowed_start_options age_limits',
  },
  contract: {
    copy: settings,
    replaced: 'calendar layouts code_map acknowledgement_mapping fees',
    account: 'contract_number sub_contract carrier_company_code ans_registration carrier_tax_id contacts',
    none: 'lives retirement_remainder age_on proration retroactive_exclusion retroactive_inclusion channel status',
  },
  contract_plan: { copy: settings, none: 'status carrier_plan_code ans_plan_number plan_version' },
  layout: { copy: settings, searched: 'name source', replaced: 'definition', none: 'id direction format' },
  legal_hold: {
    copy: 'an order not to delete, as of a court',
    erased: 'tax_id reason release_reason held_tax_id',
    searched: 'reason release_reason',
    account: 'created_by released_by',
  },
  document: {
    copy: 'read by src/privacy/subject-requests/person-data.ts, with the movements that used them',
    erased: 'storage_key name',
    searched: 'name',
    account: 'client_id',
    none: 'content_type',
  },
  broker_setting: { copy: settings, searched: 'broker_name', replaced: 'reason_templates', none: 'logo logo_type' },
  requirement_rule: { copy: settings, searched: 'name', replaced: 'conditions require', none: 'enforcement' },
} as const satisfies PersonalData
