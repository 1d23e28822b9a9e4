import type { PersonalData } from '#platform/core/personal-data.ts'

/** SQL: the benefits of the person in the company. */
export const ofBenefits = (table: string) =>
  `${table}.company_id = $1 and ${table}.benefit_id in (select benefit.id from benefit where benefit.company_id = $1 and benefit.member_id = $2)`

/** SQL: movements of the person, also those of an inclusion that never made a member. */
export const ofMovements = (
  id: string,
) => `${id} in (select enrollment.id from enrollment where enrollment.company_id = $1
  and (enrollment.member_id = $2 or enrollment.member_tax_id = $3 and not exists (
    select 1 from member where member.company_id = $1 and member.id = enrollment.member_id)))`

/** SQL: the rows of a table whose movements are of the person. */
export const ofMovement = (table: string): string =>
  `${table}.company_id = $1 and ${ofMovements(`${table}.enrollment_id`)}`

/** The tables that this district writes. */
export const personalData = {
  member: {
    copy: {
      of: 'member.company_id = $1 and member.id = $2',
      omit: ['company_id', 'id', 'details', 'search_text', 'search_email'],
      add: 'member.details',
      orderBy: 'member.id',
    },
    erased: 'tax_id name mothers_name marital_status employee_id details search_text search_email',
    searched: 'cost_center',
    replacedOfPeople: 'details',
    none: 'gender',
  },
  member_cost_center: {
    copy: {
      of: 'member_cost_center.company_id = $1 and member_cost_center.member_id = $2',
      omit: ['company_id', 'member_id'],
      orderBy: 'member_cost_center.changed_at',
    },
    searched: 'cost_center',
  },
  member_removal: {
    copy: {
      of: 'member_removal.company_id = $1 and member_removal.tax_id = $3',
      omit: ['company_id'],
      orderBy: 'member_removal.removed_at',
    },
    erased: 'tax_id',
  },
  benefit: {
    copy: {
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
    erased: 'card_number carrier_certificate carrier_dependent_code end_reason card_key',
    searched: 'end_reason',
    none: 'type dependent_type status carrier_plan_code',
  },
  continuation: {
    copy: {
      of: ofBenefits('continuation'),
      omit: ['company_id', 'id', 'open_benefit_id'],
      orderBy: 'continuation.id',
    },
    none: 'ground status not_eligible_reason end_reason prices',
  },
  enrollment: {
    copy: {
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
    erased: 'reference reason member_tax_id carrier_protocol data answers',
    searched: 'reference reason carrier_protocol',
    replaced: 'pending_items',
    replacedOfPeople: 'data answers',
    account: 'assignee',
    none: 'enrollment_type alteration_kind status continuation_refusal member_type product_name start_option scheduled_reason initial_status initial_actor',
  },
  enrollment_history: {
    copy: {
      of: ofMovement('enrollment_history'),
      omit: ['company_id', 'actor_id'],
      orderBy: 'enrollment_history.enrollment_id, enrollment_history.step',
    },
    erased: 'reason',
    searched: 'reason',
    account: 'actor_id',
    none: 'status actor',
  },
  enrollment_note: {
    copy: {
      of: ofMovement('enrollment_note'),
      omit: ['company_id', 'id', 'author'],
      orderBy: 'enrollment_note.id',
    },
    erased: 'text',
    searched: 'text',
    account: 'author',
  },
  open_movement: {
    copy: 'a copy of a movement',
    passing: 'member_tax_id carrier_protocol',
    account: 'assignee',
    none: 'enrollment_type alteration_kind status member_type',
  },
} as const satisfies PersonalData
