import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaFile, schemaText } from '../../generate/schema.ts'
import {
  ACTOR_KINDS,
  ALTERATION_KINDS,
  type ActorKind,
  BENEFICIARY_TYPES,
  BENEFIT_STATUSES,
  DEPENDENT_TYPES,
  ENROLLMENT_STATUSES,
  GENDERS,
  MARITAL_STATUSES,
  REQUEST_STATUSES,
  SANDBOX_OUTCOMES,
  MOVEMENT_KINDS,
  ROLES,
  SCHEDULED_REASONS,
  START_OPTIONS,
  DUE_DEADLINES,
  INVOICE_FILE_TYPES,
} from '#kernel/enums.ts'
import { transitionTargets } from '#coverage/rules/enrollment-status.ts'
import { DELIVERY_CHANNELS } from '#exchange/rules/channel.ts'
import { BROKEN_REASONS, DECISION_JOB_STATUSES } from '#movements/rules/decision-job.ts'
import {
  CONTINUATION_END_REASONS,
  CONTINUATION_GROUNDS,
  CONTINUATION_REFUSALS,
  CONTINUATION_STATUSES,
  NOT_ELIGIBLE_REASONS,
} from '#coverage/rules/continuation.ts'
import {
  RETIREMENT_REMAINDERS,
  CONTRACT_CHANNELS,
  CONTRACT_LIVES,
  CONTRACT_STATUSES,
  STORED_CLAIM_STATUSES,
  SUBJECT_REQUEST_KINDS,
  SUBJECT_REQUEST_STATUSES,
  CLOSING_STATUSES,
  AGE_ON,
  PRORATIONS,
  CANCELLED_ITEM_REASONS,
  ITEM_SIDES,
  SHIPMENT_STATUSES,
  STORED_ITEM_STATUSES,
  DESTINATIONS,
  FINAL_LIMITS,
  PAYROLL_BASES,
  PAYROLL_EXPORT_KINDS,
  PAYROLL_KINDS,
  TAX_FIGURE_BASES,
  UNPAID_LEAVES,
  REQUEST_MEDIA,
} from '#kernel/broker-enums.ts'
import {
  BATCH_DRAFT_MOVEMENTS,
  DRAFT_APPROVALS,
  DRAFT_BROKEN_REASONS,
  DRAFT_CLASSES,
  DRAFT_CLOSED_BECAUSE,
  DRAFT_ITEM_STATUSES,
  DRAFT_MOVEMENTS,
  DRAFT_SOURCES,
  DRAFT_STATUSES,
} from '#kernel/movement-drafts.ts'
import {
  AUTOMATIC_CLASSES,
  ROSTER_EXPLANATIONS,
  ROSTER_FORMATS,
  ROSTER_MATCHES,
  ROSTER_STATES,
  ROSTER_STATUSES,
} from '#kernel/roster-syncs.ts'
import { MAIL_KINDS, MAIL_STATUSES } from '#kernel/mail.ts'
import { LANGUAGES } from '#kernel/texts/texts.ts'
import { CHARGE_SOURCES, MISSING_SHARES } from '#money/rules/cost.ts'
import { PRICE_TABLE_KINDS } from '#money/rules/price-table.ts'
import { CORRECTED_FIELDS } from '#movements/rules/benefit-correction.ts'
import { DRAFT_EXCLUSION_STATUSES, ENDING_CAUSES } from '#movements/rules/draft-exclusion.ts'
import { EVENT_TYPES } from '#kernel/events.ts'
import { SLIP_STATUSES } from '#money/rules/invoice.ts'
import { ENFORCEMENTS } from '#registry/rules/requirement.ts'
import { LOGO_TYPES } from '#registry/rules/settings.ts'
import { DELIVERY_STATUSES, DISABLED_REASONS } from '#events/rules/webhook.ts'
import type { Api } from '#platform/http/caller.ts'
import { STEP_REASONS } from '#kernel/steps.ts'
import { VIEW_AREAS } from '#movements/rules/view.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import {
  CARRIER_FILE_KINDS,
  CARRIER_FILE_STATUSES,
  DISCREPANCY_CLASSES,
  DISCREPANCY_STATUSES,
  ENTRY_TYPES,
  INVOICE_KINDS,
  EXPLANATIONS,
  LINE_KINDS,
  MATCHED_BY,
  RECONCILIATION_KINDS,
  RECONCILIATION_STATUSES,
} from '#kernel/reconciliation.ts'
import { LAYOUT_DIRECTIONS, LAYOUT_FORMATS } from '#registry/rules/layout.ts'
import { SIGN_IN_METHODS } from '#access/sessions/queries.ts'
import { ONBOARDING_STATUSES } from '#movements/rules/onboarding.ts'
import type { LimitClass } from '#platform/http/limits/rate-limit-queries.ts'
import { nearestBusinessDay } from '#kernel/business-days.ts'
import { openScratch } from '../access/auth/scratch-database.ts'

let scratch: Awaited<ReturnType<typeof openScratch>>

beforeAll(async () => {
  scratch = await openScratch()
})

afterAll(() => scratch.close())

test('sql/schema.sql is what the migrations make: otherwise run `npm run schema`', async () => {
  const made = await schemaText(scratch.database)
  expect(made.match(/^create (unlogged )?table /gm)?.length).toBeGreaterThan(15)
  expect(readFileSync(schemaFile, 'utf8') === made, 'sql/schema.sql is stale: run `npm run schema` and commit it').toBe(
    true,
  )
})

/** The members of a union type, each named once: otherwise it does not compile. */
const membersOf = <Union extends string>(members: Readonly<Record<Union, true>>) => Object.keys(members)

/** Each column that takes a closed set, with the set as the program knows it. */
const closedSets: Readonly<Record<string, readonly string[]>> = {
  'benefit.dependent_type': DEPENDENT_TYPES,
  'benefit.status': BENEFIT_STATUSES,
  'benefit.type': BENEFICIARY_TYPES,
  'client.api': membersOf<Api>({ partner: true, operator: true }),
  'client.role': ROLES,
  'contract.channel': CONTRACT_CHANNELS,
  'contract.retirement_remainder': RETIREMENT_REMAINDERS,
  'contract.age_on': AGE_ON,
  'contract.proration': PRORATIONS,
  'closing.status': CLOSING_STATUSES,
  'subject_request.kind': SUBJECT_REQUEST_KINDS,
  'subject_request.status': SUBJECT_REQUEST_STATUSES,
  'claim.status': STORED_CLAIM_STATUSES,
  'mail.kind': MAIL_KINDS,
  'mail.status': MAIL_STATUSES,
  'mail_preference.language': LANGUAGES,
  'price_table.kind': PRICE_TABLE_KINDS,
  'payroll_export_line.kind': PAYROLL_KINDS,
  'payroll_export_line.destination': DESTINATIONS,
  'payroll_export.kind': PAYROLL_EXPORT_KINDS,
  'payroll_profile.basis': PAYROLL_BASES,
  'payroll_profile.final_limit': FINAL_LIMITS,
  'payroll_profile.unpaid_leave': UNPAID_LEAVES,
  'payroll_profile.tax_figures_by': TAX_FIGURE_BASES,
  'closing_charge.source': CHARGE_SOURCES,
  'closing_charge.missing_share': MISSING_SHARES,
  'closing_charge.member_type': BENEFICIARY_TYPES,
  'continuation.end_reason': CONTINUATION_END_REASONS,
  'continuation.ground': CONTINUATION_GROUNDS,
  'continuation.not_eligible_reason': NOT_ELIGIBLE_REASONS,
  'continuation.status': CONTINUATION_STATUSES,
  'contract.lives': CONTRACT_LIVES,
  'contract.status': CONTRACT_STATUSES,
  'contract_plan.status': CONTRACT_STATUSES,
  'onboarding_document.content_type': FILE_TYPES,
  'onboarding_invitation.status': ONBOARDING_STATUSES,
  'shipment_delivery.channel': DELIVERY_CHANNELS,
  'shipment_delivery.status': DELIVERY_STATUSES,
  'benefit_correction.field': CORRECTED_FIELDS,
  'benefit_ending.cause': ENDING_CAUSES,
  'draft_exclusion.cause': ENDING_CAUSES,
  'draft_exclusion.status': DRAFT_EXCLUSION_STATUSES,
  'deadline_event.kind': [...DUE_DEADLINES, 'cut-off'],
  'decision_job.reason': BROKEN_REASONS,
  'decision_job.status': DECISION_JOB_STATUSES,
  'held_decision.status': transitionTargets,
  'document.content_type': FILE_TYPES,
  'enrollment.alteration_kind': ALTERATION_KINDS,
  'enrollment.continuation_refusal': CONTINUATION_REFUSALS,
  'enrollment.enrollment_type': MOVEMENT_KINDS,
  'enrollment.initial_actor': ['partner', 'operator', 'service'] satisfies ActorKind[],
  'enrollment.initial_status': ENROLLMENT_STATUSES,
  'enrollment.member_type': BENEFICIARY_TYPES,
  'enrollment.scheduled_reason': SCHEDULED_REASONS,
  'enrollment.start_option': START_OPTIONS,
  'enrollment.status': ENROLLMENT_STATUSES,
  'enrollment_history.actor': ACTOR_KINDS,
  'enrollment_history.status': ENROLLMENT_STATUSES,
  // A test event is no event of a company.
  'event.type': EVENT_TYPES.filter((type) => type !== 'webhook.test'),
  'invoice_file.status': SLIP_STATUSES,
  'invoice_file.type': INVOICE_FILE_TYPES,
  'member.gender': GENDERS,
  'member.marital_status': MARITAL_STATUSES,
  'member_import.status': ['running', 'done', 'broken'],
  'member_import_dry_run_benefit.status': BENEFIT_STATUSES,
  'member_import_dry_run_benefit.type': BENEFICIARY_TYPES,
  'operator_session.signed_in_with': SIGN_IN_METHODS,
  'product.allowed_dependent_types': DEPENDENT_TYPES,
  'product.allowed_start_options': START_OPTIONS,
  'rate_limit_usage.class': membersOf<LimitClass>({
    reads: true,
    writes: true,
    authenticate: true,
    members: true,
    redeliveries: true,
  }),
  'layout.direction': LAYOUT_DIRECTIONS,
  'layout.format': LAYOUT_FORMATS,
  'movement_item.kind': MOVEMENT_KINDS,
  'movement_item.type': BENEFICIARY_TYPES,
  'broker_setting.logo_type': LOGO_TYPES,
  'requirement_rule.enforcement': ENFORCEMENTS,
  'saved_view.area': VIEW_AREAS,
  'request.request_type': MOVEMENT_KINDS,
  'request.resolution': ['approve', 'reject'],
  'request.alteration_kind': ALTERATION_KINDS,
  'sandbox_outcome.outcome': SANDBOX_OUTCOMES,
  'request.status': REQUEST_STATUSES,
  'carrier_file.kind': CARRIER_FILE_KINDS,
  'carrier_file.invoice_kind': INVOICE_KINDS,
  'carrier_file.status': CARRIER_FILE_STATUSES,
  'carrier_line.dependent_type': DEPENDENT_TYPES,
  'carrier_line.entry_type': ENTRY_TYPES,
  'carrier_line.kind': LINE_KINDS,
  'carrier_line.matched_by': MATCHED_BY,
  'carrier_line.member_type': BENEFICIARY_TYPES,
  'discrepancy.class': DISCREPANCY_CLASSES,
  'discrepancy.explanation': EXPLANATIONS,
  'discrepancy.status': DISCREPANCY_STATUSES,
  'reconciliation.kind': RECONCILIATION_KINDS,
  'reconciliation.status': RECONCILIATION_STATUSES,
  'shipment.status': SHIPMENT_STATUSES,
  'request_intake.medium': REQUEST_MEDIA,
  'movement_draft.broken_reason': DRAFT_BROKEN_REASONS,
  'movement_draft.closed_because': DRAFT_CLOSED_BECAUSE,
  'movement_draft.movement': BATCH_DRAFT_MOVEMENTS,
  'movement_draft_item.movement': DRAFT_MOVEMENTS,
  'movement_draft_item.explanation': ROSTER_EXPLANATIONS,
  'movement_draft_item.member_type': BENEFICIARY_TYPES,
  'roster_sync.states': ROSTER_STATES,
  'roster_sync.status': ROSTER_STATUSES,
  'roster_sync.format': ROSTER_FORMATS,
  'roster_person.role': BENEFICIARY_TYPES,
  'roster_person.matched_by': ROSTER_MATCHES,
  'roster_policy.automatic': AUTOMATIC_CLASSES,
  'movement_draft.source': DRAFT_SOURCES,
  'movement_draft.status': DRAFT_STATUSES,
  'movement_draft_item.approval': DRAFT_APPROVALS,
  'movement_draft_item.class': DRAFT_CLASSES,
  'movement_draft_item.status': DRAFT_ITEM_STATUSES,
  'shipment_item.reason': CANCELLED_ITEM_REASONS,
  'shipment_item.side': ITEM_SIDES,
  'shipment_item.status': STORED_ITEM_STATUSES,
  'signing_key.algorithm': ['ES256'],
  'webhook_delivery.status': DELIVERY_STATUSES,
  'webhook_endpoint.disabled_reason': DISABLED_REASONS,
  'webhook_endpoint.event_types': EVENT_TYPES,
  'webhook_endpoint.status': ['enabled', 'disabled'],
  'work.reason': STEP_REASONS,
}

test('a check takes what the program knows as the closed set of the column, no less and no more', async () => {
  const checks = await scratch.database.query<{ name: string; text: string }>(
    `select c.conrelid::regclass || '.' || a.attname as name, pg_get_constraintdef(c.oid) as text
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and array[a.attnum] = c.conkey
     where c.contype = 'c' and c.connamespace = 'public'::regnamespace and a.atttypid in ('text'::regtype, 'text[]'::regtype)`,
  )
  const ofSets = checks.filter(({ text }) => /^CHECK \(\(\(?\w+ (= ANY \(|<@ |= ')/.test(text))
  const [named] = await scratch.database.query<{ set: string[] }>('select dependent_types() as set')
  const found = ofSets.map(({ name, text }) => [
    name,
    text.includes('dependent_types()')
      ? named?.set.toSorted()
      : [...text.matchAll(/'([^']*)'/g)].map(([, one]) => one).toSorted(),
  ])
  const known = Object.entries(closedSets).map(([name, set]) => [name, set.toSorted()])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known))
})

test('`enrollment` has at most 7 indexes besides its key, and no transition changes one; all tables have at most 48', () => {
  const indexes = readFileSync(schemaFile, 'utf8').match(/^create (unique )?index .*$/gm) ?? []
  expect(indexes.length).toBeLessThanOrEqual(48)
  const ofEnrollment = indexes.filter((index) => index.includes(' on enrollment ('))
  expect(ofEnrollment.length).toBeLessThanOrEqual(7)
  for (const index of ofEnrollment) expect(index).not.toMatch(/status|updated_at|reason|assignee|pending_items|reached/)
})

/* What lets the tables of companies be distributed by company_id (Citus). */
describe('in the migrated database', () => {
  // They name a company and are no company's: access, the audit, and queues.
  const shared = ['entitlement', 'audit', 'work', 'event_batch', 'webhook_delivery']

  const found = async (statement: string): Promise<string[]> =>
    (await scratch.database.query<{ name: string }>(statement, [shared])).map(({ name }) => name)

  const ofCompanies = `(select a.attrelid as id, c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'company_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname <> all($1::text[])) t`
  const columns = (
    key: string,
  ) => `(select array_agg(a.attname::text order by k.n) from unnest(${key}) with ordinality k(at, n)
    join pg_attribute a on a.attrelid = t.id and a.attnum = k.at)`

  test('there are tables of companies', async () => {
    expect(await found(`select t.name from ${ofCompanies}`)).toEqual(
      expect.arrayContaining(['benefit', 'enrollment', 'member', 'movement_item', 'product', 'request']),
    )
  })

  test('there is no trigger and no rule', async () => {
    expect(
      await found(`select tgname as name from pg_trigger where not tgisinternal and $1::text[] is not null
        union all select rulename from pg_rewrite r join pg_class c on c.oid = r.ev_class
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`),
    ).toEqual([])
  })

  test('no foreign key changes the rows that refer: with company_id in it that would break them', async () => {
    expect(
      await found(`select conname as name from pg_constraint where contype = 'f' and $1::text[] is not null
        and (confdeltype not in ('a', 'r') or confupdtype not in ('a', 'r'))`),
    ).toEqual([])
  })

  test('keys, unique and foreign, of the tables of companies hold company_id', async () => {
    const keys = `select t.name || ': ' || i.relname as name from ${ofCompanies} join pg_index x on x.indrelid = t.id
      join pg_class i on i.oid = x.indexrelid where x.indisunique`
    const beyond = [
      'document: document_pkey',
      'document: document_storage_key_key',
      'invoice_owner: invoice_owner_pkey',
      // A hold is of a person in all companies, or of a company.
      'legal_hold: legal_hold_held_company_id_key',
      'legal_hold: legal_hold_held_tax_id_key',
      'legal_hold: legal_hold_pkey',
      // A queue, of people of several companies too.
      'mail: mail_pkey',
      'mail: mail_recipient_id_kind_period_key',
      // A queue: one row for each batch and client.
      'webhook_fan_out: webhook_fan_out_pkey',
    ]
    expect(
      (await found(`${keys} and not ${columns('x.indkey::int2[]')} @> array['company_id'] order by 1`)).toSorted(),
    ).toEqual(beyond)
    const foreign = `select t.name || ': ' || f.conname as name from ${ofCompanies} join pg_constraint f on f.conrelid = t.id
      where f.contype = 'f' and exists (select 1 from pg_attribute r where r.attrelid = f.confrelid and r.attname = 'company_id')
        and not exists (select 1 from unnest(${columns('f.conkey')}) n where n like '%company\\_id')`
    expect(await found(foreign)).toEqual([])
  })
})

test('the database moves the last day of a term to the same business day as the service', async () => {
  const rows = await scratch.database.query<{ day: string; next: string }>(
    `select day::date, next_business_day(day::date) as next from generate_series('1990-01-01'::date, '2110-12-31'::date, '1 day') as day`,
  )
  const national = { holidays: 'national', ownHolidays: [] } as const
  const others = rows.filter(({ day, next }) => nearestBusinessDay(day, 'next', national) !== next)
  expect([rows.length, others]).toEqual([44_194, []])
})
