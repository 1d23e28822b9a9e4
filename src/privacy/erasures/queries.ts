import type { Sql } from '#platform/core/database.ts'
import { required } from '#platform/core/log.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { isHeld } from '#registry/legal-holds/held.ts'
import { memberIds } from '#coverage/members/member-id.ts'
import { Mentions } from './mentions.ts'
import type { ErasedPerson } from './statements.ts'
import { isInSubmission } from './submission.ts'

/** A person in a company that knows them, if only by a movement, a refused part of a request, a line of a carrier or an invitation. */
export interface KnownPerson {
  readonly companyId: string
  readonly companyTaxId: string
  readonly companyName: string
  readonly memberId: string | null
  readonly isHeld: boolean
  /** A movement or a continuation of the family that is not over. */
  readonly isOpen: boolean
  /** A benefit of the family is in force, or will be. */
  readonly isActive: boolean
  /** The last day of the family's benefits; null: there was none. */
  readonly endedOn: LocalDate | null
  readonly benefits: number
  readonly movements: number
  /** Documents of movements that were rejected or cancelled. */
  readonly refusedDocuments: number
}

/** SQL: the `enrollment`s of a person ($1, a CPF) in a company: those of the member, and those whose person is no member now. */
const isOf = (
  company: string,
  member: string,
) => `enrollment.company_id = ${company} and (enrollment.member_id = ${member}
  or enrollment.member_tax_id = $1::bpchar and not exists (
    select 1 from member other where other.company_id = ${company} and other.id = enrollment.member_id))`

/** What is known of a CPF, by company. @param companyId null: in all of them. */
export async function readKnown(sql: Sql, taxId: string, companyId: string | null = null): Promise<KnownPerson[]> {
  const found = await sql.queryPlanned<Pick<KnownPerson, 'companyId' | 'memberId'>>(
    `with known as (
       select company_id, id as member_id from member where tax_id = $1::bpchar
       union all
       select enrollment.company_id, null from enrollment where enrollment.member_tax_id = $1::bpchar
         and not exists (select 1 from member where member.company_id = enrollment.company_id and member.id = enrollment.member_id)
       union all
       select company_id, null from onboarding_invitation where tax_id = $1::bpchar or ${isInSubmission('$1::text')}
       union all
       select company_id, null from request where failures <> '[]' and failures @> jsonb_build_array(jsonb_build_object('tax-id', $1::text))
       union all
       select company_id, null from carrier_line where tax_id = $1::bpchar
       union all
       select company_id, null from member_removal where tax_id = $1::bpchar
       union all
       select company_id, null from member_import_dry_run_benefit where tax_id = $1::bpchar
     ), subject as materialized (
       select company_id, (array_agg(member_id) filter (where member_id is not null))[1] as member_id from known
       where $2::uuid is null or company_id = $2 group by company_id
     )
     select subject.company_id as "companyId", subject.member_id as "memberId"
     from subject join company on company.id = subject.company_id order by company.name, company.tax_id`,
    [taxId, companyId],
  )
  const people: KnownPerson[] = []
  for (const company of found) people.push(await readKnownIn(sql, taxId, company))
  return people
}

/** The company first: on Citus, its rows are read on one worker. */
async function readKnownIn(
  sql: Sql,
  taxId: string,
  { companyId, memberId }: Pick<KnownPerson, 'companyId' | 'memberId'>,
): Promise<KnownPerson> {
  const [known] = await sql.queryPlanned<KnownPerson>(
    `with family as materialized (
       -- Whoever is the primary of the member's benefits, the member included.
       select array(select coalesce(primary_member_id, member_id) from benefit where company_id = $2 and member_id = $3) || $3::uuid as heads
     )
     select company.id as "companyId", company.tax_id as "companyTaxId", company.name as "companyName", $3::uuid as "memberId",
       ${isHeld('$2', '$1::bpchar', '$3::uuid')} as "isHeld",
       exists (select 1 from open_movement where open_movement.company_id = $2
           and (open_movement.member_id = any(family.heads) or open_movement.primary_member_id = any(family.heads)
             or open_movement.member_id = $3 or open_movement.member_tax_id = $1::bpchar))
         or exists (select 1 from movement_item where movement_item.company_id = $2 and movement_item.tax_id = $1::bpchar)
         or exists (select 1 from continuation join benefit on benefit.company_id = $2 and benefit.id = continuation.benefit_id
           where continuation.company_id = $2 and continuation.open_benefit_id is not null
             and coalesce(benefit.primary_member_id, benefit.member_id) = any(family.heads)) as "isOpen",
       coalesce(covered.is_active, false) as "isActive", covered.ended_on as "endedOn",
       (select count(*) from benefit where benefit.company_id = $2 and benefit.member_id = $3) as benefits,
       (select count(*) from enrollment where ${isOf('$2', '$3::uuid')}) as movements,
       (select count(*) from enrollment cross join lateral jsonb_array_elements(case jsonb_typeof(enrollment.data->'documents')
           when 'array' then enrollment.data->'documents' else '[]' end)
         where ${isOf('$2', '$3::uuid')} and enrollment.status in ('rejected', 'cancelled')) as "refusedDocuments"
     from company cross join family
     cross join lateral (
       select bool_or(status <> 'inactive') as is_active, max(end_date) as ended_on from benefit
       where benefit.company_id = $2
         and (benefit.member_id = any(family.heads) and benefit.primary_member_id is null or benefit.primary_member_id = any(family.heads))
     ) covered
     where company.id = $2`,
    [taxId, companyId, memberId],
  )
  return required(known, 'company')
}

/** Locks the member against movements, which lock it to be processed. */
export async function lockKnown(sql: Sql, companyId: string, taxId: string): Promise<void> {
  await sql.query('select from member where company_id = $1 and tax_id = $2::bpchar for update', [companyId, taxId])
}

/** Whatever finds the data of a person in a company. @param memberKey which makes the id of a member of the first CPF. */
export async function readErased(
  sql: Sql,
  memberKey: Buffer,
  { companyId, memberId }: Pick<KnownPerson, 'companyId' | 'memberId'>,
  taxId: string,
): Promise<Omit<ErasedPerson, 'replacement'>> {
  const [found] = await sql.queryPlanned<
    Pick<ErasedPerson, 'enrollmentIds' | 'requestIds' | 'benefitIds' | 'names' | 'emails'>
  >(
    `with sent as materialized (
       select enrollment.id, enrollment.request_id, enrollment.data from enrollment where ${isOf('$2', '$3::uuid')}
     ), known as (
       select name, details->>'email-private' as private_email, details->>'email-corporate' as corporate_email from member
       where company_id = $2 and id = $3
       union all
       select data->>'name', data->>'email-private', data->>'email-corporate' from sent
       union all
       select name, null, null from carrier_line where company_id = $2 and tax_id = $1::bpchar and benefit_id is null
       union all
       select name, submission->'member'->>'email-private', submission->'member'->>'email-corporate' from onboarding_invitation
       where company_id = $2 and tax_id = $1::bpchar
       union all
       select dependent->>'name', null, null from onboarding_invitation cross join lateral jsonb_array_elements(submission->'dependents') dependent
       where company_id = $2 and ${isInSubmission('$1::text')} and dependent->>'tax-id' = $1
     )
     select array(select id from sent) as "enrollmentIds",
       array(select request_id from sent union select id from request where company_id = $2 and failures <> '[]'
         and failures @> jsonb_build_array(jsonb_build_object('tax-id', $1::text))) as "requestIds",
       array(select id from benefit where company_id = $2 and member_id = $3) as "benefitIds",
       array(select distinct name from known where name <> '' and name <> 'erased') as names,
       array(select distinct email from known cross join lateral (values (private_email), (corporate_email)) as address(email)
         where email <> '') as emails`,
    [taxId, companyId, memberId],
  )
  const formerTaxIds = memberId === null ? [] : await readFormerTaxIds(sql, memberKey, companyId, memberId)
  return {
    companyId,
    memberId,
    taxId,
    enrollmentIds: [],
    requestIds: [],
    benefitIds: [],
    names: [],
    emails: [],
    ...found,
    formerTaxIds,
  }
}

/** CPFs that no one has in the company now, and from which the member's id was made, or to which the person's movements corrected it. */
async function readFormerTaxIds(sql: Sql, memberKey: Buffer, companyId: string, memberId: string): Promise<string[]> {
  const rows = await sql.queryPlanned<{ taxId: string; isCorrection: boolean }>(
    `select member_removal.tax_id as "taxId", exists (select 1 from enrollment where enrollment.company_id = $1 and enrollment.member_id = $2
         and (enrollment.data->>'tax-id' = member_removal.tax_id or enrollment.member_tax_id = member_removal.tax_id)) as "isCorrection"
     from member_removal where company_id = $1
       and not exists (select 1 from member where member.company_id = $1 and member.tax_id = member_removal.tax_id)`,
    [companyId, memberId],
  )
  const first = memberIds(
    memberKey,
    rows.map(({ taxId }) => taxId),
    0,
  )
  return rows.flatMap(({ taxId, isCorrection }, index) => (isCorrection || first[index] === memberId ? [taxId] : []))
}

/** How many stored lines of imports have the CPF, and whether a legal hold is on the person. */
export async function readImportLines(
  sql: Sql,
  taxId: string,
): Promise<{ readonly lines: number; readonly isHeld: boolean }> {
  const mentions = new Mentions({ taxId, names: [], emails: [] })
  const [found] = await sql.queryPlanned<{ lines: number; isHeld: boolean }>(
    `select (select count(*) from member_import_error where content ~* $3 and fold(content) ~ $2) as lines,
       exists (select 1 from legal_hold where held_tax_id = $1::bpchar
         or released_at is null and member_ids && array(select id from member where tax_id = $1::bpchar)) as "isHeld"`,
    [taxId, mentions.prefilter, mentions.unfoldedPrefilter],
  )
  return found ?? { lines: 0, isHeld: false }
}

/** Deletes what a legal hold and a request have of a person who is erased everywhere. */
export async function eraseRequests(sql: Sql, taxId: string): Promise<void> {
  await sql.execute(
    `update legal_hold set tax_id = null, reason = null, release_reason = null where tax_id = $1::bpchar and released_at is not null`,
    [taxId],
  )
  await sql.execute(
    `update subject_request set tax_id = null, note = null, cancel_reason = null
     where tax_id = $1::bpchar and status in ('partly-fulfilled', 'fulfilled', 'cancelled')`,
    [taxId],
  )
}

/** Takes away the copies of a person's data, also those that are being made. @returns the keys of their files. */
export async function discardCopies(sql: Sql, taxId: string): Promise<string[]> {
  const rows = await sql.query<{ key: string }>(
    `with copy as (select id, file_key from subject_request where tax_id = $1::bpchar and file_requested_at is not null for update),
     discarded as (
       update subject_request set file_requested_at = null, file_made_at = null, file_expires_at = null, file_key = null, file_size = null
       from copy where subject_request.id = copy.id
     )
     select file_key as key from copy where file_key is not null`,
    [taxId],
  )
  return rows.map(({ key }) => key)
}

/** Stored files that belong to nothing any more: they may be deleted at once. */
export async function insertDueOrphans(sql: Sql, keys: readonly string[]): Promise<void> {
  await sql.execute(
    `insert into orphan_file (key, delete_after) select key, statement_timestamp() - interval '1 hour' from unnest($1::text[]) as file(key)`,
    [keys],
  )
}

/** Companies by id, and whether a hold is on all their people. */
export async function readCompanies(
  sql: Sql,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly taxId: string; readonly name: string; readonly isHeld: boolean }[]> {
  return sql.query(
    `select id, tax_id as "taxId", name, ${isHeld('company.id', 'null::bpchar')} as "isHeld" from company where id = any($1::uuid[])`,
    [ids],
  )
}
