import { byCompany } from '#platform/core/by-company.ts'
import { deleteInvitationMails } from '#platform/core/mails.ts'
import type { Sql } from '#platform/core/database.ts'
import { isFileHeld } from '#registry/legal-holds/held.ts'
import { erased } from './mentions.ts'
import { isInSubmission } from './submission.ts'
import { draftDocuments, settleRows } from '#movements/drafts/rows.ts'
import { eraseFromLists } from '#movements/rosters/rows.ts'
import type { ErasedTable } from '../personal-tables.ts'

/** A person in one company. */
export interface ErasedPerson {
  readonly companyId: string
  /** null: a person of whom only movements are left that never became a benefit. */
  readonly memberId: string | null
  readonly taxId: string
  /** What stands for the CPF afterwards: `erased` and five characters. */
  readonly replacement: string
  readonly enrollmentIds: readonly string[]
  /** Requests that had the person. */
  readonly requestIds: readonly string[]
  readonly benefitIds: readonly string[]
  readonly names: readonly string[]
  readonly emails: readonly string[]
  /** CPFs that the company had of the person before they were corrected, and which no one else has there. */
  readonly formerTaxIds: readonly string[]
}

/** Empties what a table has of a person. @returns the keys of the stored files that belong to nothing any more. */
type Erase = (sql: Sql, person: ErasedPerson) => Promise<readonly string[]>

const keysOf = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key)

/** A statement that no stored file follows from. @param values its parameters after `$1`, the company. */
function run(text: string, values: (person: ErasedPerson) => readonly unknown[]): Erase {
  return async (sql, person) => {
    await sql.execute(text, [person.companyId, ...values(person)])
    return []
  }
}

const byEnrollment = ({ enrollmentIds }: ErasedPerson) => [enrollmentIds]
const byBenefit = ({ benefitIds }: ErasedPerson) => [benefitIds]

/** SQL: a `carrier_line` is of the person: matched with a benefit ($2), or with the CPF ($3) and matched with no one else's. */
const isLineOf = `(carrier_line.benefit_id = any($2::uuid[]) or carrier_line.benefit_id is null and carrier_line.tax_id = $3::bpchar)`
const byLine = ({ benefitIds, taxId }: ErasedPerson) => [benefitIds, taxId]

/** SQL: a `carrier_file` has the person: in a line of theirs or of a relative, or perhaps in one that could not be read. */
const isInCarrierFile = `carrier_file.storage_key is not null and (carrier_file.refused_lines > 0 or exists (
  select 1 from carrier_line where carrier_line.company_id = carrier_file.company_id and carrier_line.file_id = carrier_file.id
    and (${isLineOf} or carrier_line.tax_id = $3::bpchar)))`

interface ShipmentFileKey {
  readonly companyId: string
  readonly shipmentId: string
  readonly isHeld: boolean
}

/** The shipment files that have the person, as a movement or as a dependent who moves along: of the company, and of those to which it changed. */
async function readShipmentFiles(
  sql: Sql,
  { companyId, enrollmentIds, benefitIds }: ErasedPerson,
): Promise<ShipmentFileKey[]> {
  return sql.queryPlanned<ShipmentFileKey>(
    `with item as materialized (
       select distinct company_id, shipment_id from shipment_item
       where movement_company_id = $1 and (company_id = $1 or movement_company_id <> company_id)
         and (enrollment_id = any($2::uuid[]) or dependent_benefit_ids && $3::uuid[])
     )
     select shipment_file.company_id as "companyId", shipment_file.shipment_id as "shipmentId", ${isFileHeld.shipment_file} as "isHeld"
     from item join shipment_file on shipment_file.company_id = item.company_id and shipment_file.shipment_id = item.shipment_id
     where shipment_file.content is not null`,
    [companyId, enrollmentIds, benefitIds],
  )
}

/** SQL: an `invoice_file` is a list of the people of a time in which the person had a benefit ($2). */
const isInInvoiceFile = `invoice.company_id = $1 and invoice.id = invoice_file.invoice_id
  and invoice_file.type in ('detailed-statement', 'coparticipation-statement')
  and exists (select 1 from benefit where benefit.company_id = $1 and benefit.id = any($2::uuid[])
    and benefit.start_date <= invoice.reference_period_end
    and coalesce(benefit.end_date, 'infinity') >= invoice.reference_period_start)`

/** How many stored files of several people, the person among them, stay because another person in them is held. Count them before the erasure. */
export async function countHeldFiles(sql: Sql, person: ErasedPerson): Promise<number> {
  const [carrier] = await sql.queryPlanned<{ count: number }>(
    `select count(*) from carrier_file where company_id = $1 and ${isInCarrierFile} and ${isFileHeld.carrier_file}`,
    [person.companyId, ...byLine(person)],
  )
  const shipments = (await readShipmentFiles(sql, person)).filter(({ isHeld }) => isHeld)
  const [invoice] = await sql.queryPlanned<{ count: number }>(
    `select count(*) from invoice_file join invoice on ${isInInvoiceFile}
     where invoice_file.company_id = $1 and ${isFileHeld.invoice_file}`,
    [person.companyId, ...byBenefit(person)],
  )
  return (carrier?.count ?? 0) + shipments.length + (invoice?.count ?? 0)
}

/** The reason of an exclusion and whether the plan was kept stay: its benefit's end follows from them. By immutable functions, which Citus asks for. */
const keptData = `case when data->'exclusion-details' is null then '{"name": "${erased}"}' else
  jsonb_strip_nulls(jsonb_set(jsonb_set('{"name": "${erased}", "exclusion-details": {}}',
    '{exclusion-details,exclusion-reason}', coalesce(data->'exclusion-details'->'exclusion-reason', 'null')),
    '{exclusion-details,extension-plan}', coalesce(data->'exclusion-details'->'extension-plan', 'null'))) end`

/**
 * What each table loses when a person is erased in a company, in the order of execution: what is found by the CPF, the benefits or the data of
 * movements goes before them.
 */
export const eraseFrom: Readonly<Record<Exclude<ErasedTable, 'legal_hold' | 'subject_request'>, Erase>> = {
  document: async (sql, person) => [...(await eraseDocuments(sql, person)), ...(await eraseEvidence(sql, person))],
  // A file has lines of others too, also such as could not be read: its bytes go, and of its lines those of the person.
  carrier_file: async (sql, person) =>
    keysOf(
      await sql.query(
        `with named as (
           select id, storage_key from carrier_file where company_id = $1 and ${isInCarrierFile} and not ${isFileHeld.carrier_file}
         )
         update carrier_file set storage_key = null from named where carrier_file.company_id = $1 and carrier_file.id = named.id
         returning named.storage_key as key`,
        [person.companyId, ...byLine(person)],
      ),
    ),
  // The list of people of an invoice is a file of its own.
  invoice_file: async (sql, person) =>
    keysOf(
      await sql.query(
        `delete from invoice_file using invoice
         where invoice_file.company_id = $1 and ${isInInvoiceFile} and not ${isFileHeld.invoice_file}
         returning invoice_file.storage_key as key`,
        [person.companyId, ...byBenefit(person)],
      ),
    ),
  onboarding_document: async (sql, person) =>
    keysOf(
      await sql.query(
        `delete from onboarding_document where company_id = $1 and (invitation_id in (
           select id from onboarding_invitation where company_id = $1 and tax_id = $2::bpchar) or (invitation_id, id) in (
           select onboarding_invitation.id, (sent->>'document-id')::uuid from onboarding_invitation
           cross join lateral jsonb_array_elements(onboarding_invitation.submission->'dependents') dependent
           cross join lateral jsonb_array_elements(dependent->'documents') sent
           where onboarding_invitation.company_id = $1 and ${isInSubmission('$2::text')} and dependent->>'tax-id' = $2))
         returning storage_key as key`,
        [person.companyId, person.taxId],
      ),
    ),
  // A dependent leaves the submission of the primary, whose approval then includes the others.
  onboarding_invitation: async (sql, person) => {
    const deleted = await sql.query<{ id: string }>(deleteInvitations, [person.companyId, person.taxId])
    await deleteInvitationMails(sql, person.companyId, deleted)
    await sql.execute(
      `update onboarding_invitation set submission = jsonb_set(submission, '{dependents}', (
         select coalesce(jsonb_agg(dependent order by n), '[]') from jsonb_array_elements(submission->'dependents') with ordinality as sent(dependent, n)
         where dependent->>'tax-id' is distinct from $2)), updated_at = statement_timestamp()
       where company_id = $1 and ${isInSubmission('$2::text')}`,
      [person.companyId, person.taxId],
    )
    return []
  },
  shipment_file: async (sql, person) => {
    const files = (await readShipmentFiles(sql, person)).filter(({ isHeld }) => !isHeld)
    for (const [companyId, own] of byCompany(files)) {
      await sql.execute(
        'update shipment_file set content = null where company_id = $1 and shipment_id = any($2::uuid[])',
        [companyId, own.map(({ shipmentId }) => shipmentId)],
      )
    }
    return []
  },
  discrepancy: run(
    `update discrepancy set expected = null, found = null from reconciliation
     where discrepancy.company_id = $1 and reconciliation.company_id = $1 and reconciliation.id = discrepancy.reconciliation_id
       and (discrepancy.benefit_id = any($2::uuid[]) or exists (select 1 from carrier_line where carrier_line.company_id = $1
         and carrier_line.file_id = reconciliation.carrier_file_id and carrier_line.line_number = discrepancy.line_number and ${isLineOf}))`,
    byLine,
  ),
  carrier_line: async (sql, person) => {
    const values = [person.companyId, ...byLine(person)]
    await sql.execute(
      `update carrier_line set card_number = null, certificate = null, dependent_code = null, tax_id = null, employee_id = null, name = '${erased}',
         date_of_birth = null, details = null
       where company_id = $1 and ${isLineOf}`,
      values,
    )
    // A relative's line may have the CPF in place of their own.
    await sql.execute('update carrier_line set tax_id = null where company_id = $1 and tax_id = $2::bpchar', [
      person.companyId,
      person.taxId,
    ])
    return []
  },
  // Those of a change of company are of its destination.
  shipment_item: async (sql, { companyId, enrollmentIds }) => {
    const destinations = await sql.query<{ id: string }>(
      `select distinct company_id as id from shipment_item
       where movement_company_id = $1 and movement_company_id <> company_id and enrollment_id = any($2::uuid[])`,
      [companyId, enrollmentIds],
    )
    for (const id of [companyId, ...destinations.map((destination) => destination.id)]) {
      await sql.execute(
        `update shipment_item set carrier_protocol = null, carrier_message = null, acknowledgement = null
         where company_id = $1 and enrollment_id = any($2::uuid[])`,
        [id, enrollmentIds],
      )
    }
    return []
  },
  enrollment_note: run(
    `update enrollment_note set text = '${erased}' where company_id = $1 and enrollment_id = any($2::uuid[])`,
    byEnrollment,
  ),
  enrollment_history: run(
    `update enrollment_history set reason = '${erased}' where company_id = $1 and enrollment_id = any($2::uuid[]) and reason is not null`,
    byEnrollment,
  ),
  event: run(
    `update event set data = data - 'reference' where company_id = $1 and data->>'enrollment-id' = any($2::text[])`,
    byEnrollment,
  ),
  request: run(
    `update request set failures = (select jsonb_agg(case when failure->>'tax-id' = $2 then failure || jsonb_build_object('tax-id', $3::text)
         else failure end order by n) from jsonb_array_elements(failures) with ordinality as failed(failure, n))
     where company_id = $1 and failures @> jsonb_build_array(jsonb_build_object('tax-id', $2::text))`,
    ({ taxId, replacement }) => [taxId, replacement],
  ),
  movement_draft_item: eraseDraftItems,
  member_import_dry_run_benefit: run(
    'delete from member_import_dry_run_benefit where company_id = $1 and tax_id = $2::bpchar',
    ({ taxId }) => [taxId],
  ),
  enrollment: run(
    `update enrollment set member_tax_id = $3, reference = null, reason = case when reason is not null then '${erased}' end,
       carrier_protocol = null, answers = null, event_date = null, newborn_date = null, data = ${keptData}
     where company_id = $1 and id = any($2::uuid[])`,
    ({ enrollmentIds, replacement }) => [enrollmentIds, replacement],
  ),
  benefit_correction: run(
    `update benefit_correction set reason = '${erased}', old_value = case when field = 'card-number' then null else old_value end,
       new_value = case when field = 'card-number' then '${erased}' else new_value end
     where company_id = $1 and benefit_id = any($2::uuid[])`,
    byBenefit,
  ),
  benefit: run(
    `update benefit set card_number = null, carrier_certificate = null, carrier_dependent_code = null,
       end_reason = case when end_reason is not null then '${erased}' end
     where company_id = $1 and id = any($2::uuid[])`,
    byBenefit,
  ),
  member_removal: run(
    'delete from member_removal where company_id = $1 and tax_id = any($2::bpchar[])',
    ({ taxId, formerTaxIds }) => [[taxId, ...formerTaxIds]],
  ),
  // A changed row: partners who read what changed see it without its data, and can erase what they have.
  member: run(
    `update member set tax_id = $3, name = '${erased}', mothers_name = '${erased}', date_of_birth = '1900-01-01', marital_status = null,
       admission_date = null, employee_id = null, salary = null, details = '{}', tax_id_corrected_at = null, updated_at = statement_timestamp()
     where company_id = $1 and id = $2`,
    ({ memberId, replacement }) => [memberId, replacement],
  ),
}

const deleteInvitations = 'delete from onboarding_invitation where company_id = $1 and tax_id = $2::bpchar returning id'

/** Deletes the documents of the person's movements, but those that a movement of another person names too. */
async function eraseDocuments(sql: Sql, { companyId, enrollmentIds }: ErasedPerson): Promise<readonly string[]> {
  const [found] = await sql.query<{ ids: string[] }>(
    `with sent as (
       select enrollment.id, item->>'document-id' as document_id from enrollment cross join lateral jsonb_array_elements(
         case jsonb_typeof(enrollment.data->'documents') when 'array' then enrollment.data->'documents' else '[]' end) as document(item)
       where enrollment.company_id = $1 and enrollment.request_id in (
         select request_id from enrollment own where own.company_id = $1 and own.id = any($2::uuid[]))
     )
     select coalesce(array_agg(document_id), '{}') as ids from (
       select document_id from sent group by document_id having bool_and(id = any($2::uuid[]))) own`,
    [companyId, enrollmentIds],
  )
  return deleteDocuments(sql, companyId, found?.ids ?? [])
}

/** Deletes what drafts propose for the person, and for whom they would be the primary of, with the documents that no other item of them names. */
async function eraseDraftItems(
  sql: Sql,
  { companyId, memberId, taxId, formerTaxIds }: ErasedPerson,
): Promise<readonly string[]> {
  const person = [companyId, memberId, [taxId, ...formerTaxIds]]
  // First: a list that is being compared becomes a draft.
  await eraseFromLists(sql, companyId, [taxId, ...formerTaxIds])
  await sql.execute(
    'update movement_draft_item set family = $2 where company_id = $1 and family = any($3::text[])',
    person,
  )
  const deleted = await sql.query<{ draftId: string; ids: string[] }>(
    `delete from movement_draft_item where company_id = $1
       and (member_id = $2 or tax_id = any($3::bpchar[]) or entry->>'primary-member-tax-id' = any($3::text[]))
     returning draft_id as "draftId", array(select sent.item->>'document-id' from jsonb_array_elements(${draftDocuments}) as sent(item)) as ids`,
    person,
  )
  const draftIds = deleted.map(({ draftId }) => draftId)
  await settleRows(sql, companyId, draftIds, 'discarded')
  const [named] = await sql.query<{ ids: string[] }>(
    `select coalesce(array_agg(distinct sent.item->>'document-id'), '{}') as ids
     from movement_draft_item cross join lateral jsonb_array_elements(${draftDocuments}) as sent(item)
     where movement_draft_item.company_id = $1 and movement_draft_item.draft_id = any($2::uuid[])`,
    [companyId, draftIds],
  )
  const ids = deleted.flatMap((item) => item.ids).filter((id) => named?.ids.includes(id) !== true)
  return deleteDocuments(sql, companyId, ids)
}

/** SQL: a request of the person, or another one of its draft, is about others too who are not erased, or is not processed yet. */
const hasOthers = `(exists (select 1 from request same where same.company_id = $1 and (same.id = request.id or same.draft_id = request.draft_id)
    and (same.status = 'processing'
      or exists (select 1 from enrollment where enrollment.company_id = $1 and enrollment.request_id = same.id
        and enrollment.id <> all($3::uuid[]) and enrollment.member_tax_id not like '${erased}%')
      or exists (select 1 from jsonb_array_elements(same.failures) failure
        where failure->>'tax-id' <> $4::text and failure->>'tax-id' not like '${erased}%')))
  or exists (select 1 from movement_draft_item where movement_draft_item.company_id = $1 and movement_draft_item.draft_id = request.draft_id
    and movement_draft_item.tax_id <> $4::bpchar))`

/** SQL: the intakes of the person's requests that have evidence. */
const intakesWithEvidence = `request_intake join request on request.company_id = $1 and request.id = request_intake.request_id
  where request_intake.company_id = $1 and request_intake.request_id = any($2::uuid[]) and request_intake.documents <> '{}'`

const evidenceOf = ({ companyId, requestIds, enrollmentIds, taxId }: ErasedPerson) => [
  companyId,
  requestIds,
  enrollmentIds,
  taxId,
]

/** How many documents of evidence go with the person, and how many stay, as they show others too. */
export async function countEvidence(
  sql: Sql,
  person: ErasedPerson,
): Promise<{ readonly own: number; readonly shared: number }> {
  const [found] = await sql.query<{ own: number; shared: number }>(
    `select coalesce(sum(documents) filter (where not is_shared), 0)::int as own, coalesce(sum(documents) filter (where is_shared), 0)::int as shared
     from (select cardinality(request_intake.documents) as documents, ${hasOthers} as is_shared from ${intakesWithEvidence}) evidence`,
    evidenceOf(person),
  )
  return found ?? { own: 0, shared: 0 }
}

/** Deletes the evidence of requests that are about nobody else. */
async function eraseEvidence(sql: Sql, person: ErasedPerson): Promise<readonly string[]> {
  const emptied = await sql.query<{ ids: string[] }>(
    `with own as materialized (
       select request_intake.request_id, request.draft_id, request_intake.documents from ${intakesWithEvidence} and not ${hasOthers}
     ), of_draft as (
       update movement_draft set intake = jsonb_set(intake, '{documents}', '[]') from own
       where movement_draft.company_id = $1 and movement_draft.id = own.draft_id and movement_draft.intake is not null
     )
     update request_intake set documents = '{}' from own
     where request_intake.company_id = $1 and request_intake.request_id = own.request_id returning own.documents as ids`,
    evidenceOf(person),
  )
  return deleteDocuments(
    sql,
    person.companyId,
    emptied.flatMap(({ ids }) => ids),
  )
}

/** Deletes documents of a company. @returns the keys of their files. */
export async function deleteDocuments(sql: Sql, companyId: string, ids: readonly string[]): Promise<readonly string[]> {
  return keysOf(
    await sql.query(
      'delete from document where company_id = $1 and id = any($2::uuid[]) returning storage_key as key',
      [companyId, ids],
    ),
  )
}
