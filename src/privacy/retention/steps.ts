import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { RetentionClass } from '#kernel/retention-classes.ts'
import { eraseInCompany } from '../erasures/execute.ts'
import { deleteDocuments } from '../erasures/statements.ts'
import { eraseRefusedDocuments } from '../erasures/refused-documents.ts'
import type { Context } from '#platform/http/context.ts'
import { deleteUnusedDocuments } from '#registry/documents/retention.ts'
import { deleteExpiredJobs } from '#movements/decide/job.ts'
import { closedDrafts, deleteDraftItems, unusedDraftDocuments } from '#movements/drafts/retention.ts'
import { expireInvitations } from '#movements/onboarding/invitations.ts'
import { unheldDrafts } from '#movements/onboarding/queries.ts'
import { deleteOldEvents } from '#events/webhooks/dispatcher.ts'
import { isFileHeld, isHeld } from '#registry/legal-holds/held.ts'

/** A row of which something is deleted. */
export interface DueRow {
  /** null: it belongs to no company. */
  readonly companyId: string | null
  readonly id: string
  /** The CPF of a person, for whom the id is that of the member or of a movement. */
  readonly taxId?: string
}

export interface RetentionStep {
  /** SQL of due rows (companyId, id): `$1` is the day before which the period began. */
  readonly due: string
  /** Deletes a due row's data. @returns keys of stored files that belong to nothing any more; null: another run has deleted it. */
  readonly remove: (sql: Sql, row: DueRow) => Promise<readonly string[] | null>
  /** In place of `remove`: the erasure of a person is a write of its own, which judges again. */
  readonly erase?: (context: Context, row: DueRow) => Promise<boolean>
}

/** What a periodic task deletes (src/privacy/district.ts), by the clock of the database: the business day does not move it. */
interface TaskStep {
  readonly due: string
  readonly task: (context: Context, signal: AbortSignal) => Promise<void>
}

type Keys = readonly { readonly key: string }[]
const keysOf = (rows: Keys) => rows.flatMap(({ key }) => (key === null ? [] : [key]))

const unlessEmpty = (keys: readonly string[]) => (keys.length === 0 ? null : keys)

function update(text: string): RetentionStep['remove'] {
  return async (sql, { companyId, id }) =>
    (await sql.execute(text, companyId === null ? [id] : [companyId, id])) === 0 ? null : []
}

/** SQL of people (company_id, id, tax_id) whose family's last benefit ended before `$1`, and those who never had one. */
const duePeople = `with family as materialized (
    select company_id, coalesce(primary_member_id, member_id) as head, bool_or(status <> 'inactive') as is_active, max(end_date) as ended_on
    from benefit group by 1, 2
  ), relative as (
    select distinct company_id, member_id, coalesce(primary_member_id, member_id) as head from benefit
    union select company_id, head, head from family
  ), ended as materialized (
    select relative.company_id, relative.member_id from relative
    join family on family.company_id = relative.company_id and family.head = relative.head
    group by relative.company_id, relative.member_id having not bool_or(family.is_active) and max(family.ended_on) < $1::date
  )
  select member.company_id, member.id, member.tax_id from ended
  join member on member.company_id = ended.company_id and member.id = ended.member_id
  where member.tax_id ~ '^[0-9]'
    and not exists (select 1 from enrollment where enrollment.company_id = member.company_id and enrollment.member_id = member.id
      and enrollment.updated_at >= $1::date)
  union all
  select enrollment.company_id, (array_agg(enrollment.id order by enrollment.id))[1], enrollment.member_tax_id from enrollment
  where enrollment.member_tax_id ~ '^[0-9]'
    and not exists (select 1 from member where member.company_id = enrollment.company_id
      and (member.id = enrollment.member_id or member.tax_id = enrollment.member_tax_id))
  group by enrollment.company_id, enrollment.member_tax_id having max(enrollment.updated_at) < $1::date`

/** SQL: a `carrier_line` still says who it is about. */
const hasPerson = `coalesce(carrier_line.card_number, carrier_line.certificate, carrier_line.tax_id, carrier_line.employee_id, carrier_line.name) is not null`

/** SQL: the month of a `carrier_file` ended before `$1`. */
const monthIsOver = `(carrier_file.reference_month || '-01')::date + interval '1 month' <= $1::date`

/** What is deleted once the period of a class is over; null: never. */
export const retentionSteps: Readonly<Record<RetentionClass, readonly RetentionStep[] | TaskStep | null>> = {
  'unused-document': {
    due: `select null::uuid as "companyId", document.id from document where document.used_at is null and document.created_at < $1::date
      order by document.id`,
    task: deleteUnusedDocuments,
  },
  'refused-document': [
    {
      due: `select enrollment.company_id as "companyId", enrollment.id from enrollment
        where enrollment.status in ('rejected', 'cancelled') and enrollment.updated_at < $1::date
          and jsonb_typeof(enrollment.data->'documents') = 'array' and not ${isHeld('enrollment.company_id', 'enrollment.member_tax_id', 'enrollment.member_id')}
        order by enrollment.company_id, enrollment.id`,
      remove: async (sql, { companyId, id }) => unlessEmpty(await eraseRefusedDocuments(sql, companyId ?? '', [id])),
    },
    {
      due: unusedDraftDocuments,
      remove: async (sql, { companyId, id }) => unlessEmpty(await deleteDocuments(sql, companyId ?? '', [id])),
    },
  ],
  draft: {
    due: `${unheldDrafts} and coalesce(onboarding_invitation.submitted_at, onboarding_invitation.created_at) < $1::date
      union all ${closedDrafts} order by "companyId", id`,
    task: async (context, signal) => {
      await expireInvitations(context, signal)
      await deleteDraftItems(context, signal)
    },
  },
  benefit: [
    {
      due: `select person.company_id as "companyId", person.id, person.tax_id as "taxId" from (${duePeople}) person
        where not ${isHeld('person.company_id', 'person.tax_id', 'person.id')}
          and not exists (select 1 from open_movement where open_movement.company_id = person.company_id
            and (open_movement.member_tax_id = person.tax_id or open_movement.primary_member_id = person.id))
        order by person.company_id, person.id`,
      remove: async () => [],
      erase: (context, { companyId, taxId }) => eraseInCompany(context, companyId ?? '', taxId ?? '', null),
    },
  ],
  'carrier-file': [
    {
      due: `select carrier_file.company_id as "companyId", carrier_file.id from carrier_file
        where ${monthIsOver} and carrier_file.status <> 'reading'
          and (carrier_file.storage_key is not null or exists (select 1 from carrier_line
            where carrier_line.company_id = carrier_file.company_id and carrier_line.file_id = carrier_file.id and ${hasPerson}))
          and not ${isFileHeld.carrier_file}
        order by carrier_file.company_id, carrier_file.id`,
      remove: async (sql, { companyId, id }) => {
        const rows = await sql.query<Keys[number]>(
          'select storage_key as key from carrier_file where company_id = $1 and id = $2 for update',
          [companyId, id],
        )
        const lines = await sql.execute(
          `with emptied as (update carrier_file set storage_key = null where company_id = $1 and id = $2)
           update carrier_line set card_number = null, certificate = null, dependent_code = null, tax_id = null, employee_id = null, name = null,
             date_of_birth = null, details = null
           where company_id = $1 and file_id = $2 and ${hasPerson}`,
          [companyId, id],
        )
        return lines === 0 ? unlessEmpty(keysOf(rows)) : keysOf(rows)
      },
    },
    {
      due: `select shipment.company_id as "companyId", shipment.id from shipment
        join shipment_file on shipment_file.company_id = shipment.company_id and shipment_file.shipment_id = shipment.id
        where shipment_file.content is not null and shipment.status in ('finished', 'cancelled') and shipment.closed_at < $1::date
          and not ${isFileHeld.shipment_file}
        order by shipment.company_id, shipment.id`,
      remove: update(
        'update shipment_file set content = null where company_id = $1 and shipment_id = $2 and content is not null',
      ),
    },
  ],
  // The bills stay with their invoices: they name no one.
  invoice: [
    {
      due: `select invoice_file.company_id as "companyId", invoice_file.file_id as id from invoice_file
        join invoice on invoice.company_id = invoice_file.company_id and invoice.id = invoice_file.invoice_id
        where invoice.reference_period_end < $1::date and invoice_file.type <> 'payment-slip'
          and not ${isFileHeld.invoice_file}
        order by invoice_file.company_id, invoice_file.file_id`,
      remove: async (sql, { companyId, id }) =>
        unlessEmpty(
          keysOf(
            await sql.query(
              `delete from invoice_file where company_id = $1 and file_id = $2 and type <> 'payment-slip' returning storage_key as key`,
              [companyId, id],
            ),
          ),
        ),
    },
  ],
  forecast: [
    {
      due: `select forecast.company_id as "companyId", forecast.id from forecast
        where (forecast.reference_month || '-01')::date + interval '1 month' <= $1::date
          and not ${isHeld('forecast.company_id', 'null::bpchar')} and not exists (select 1 from forecast_line
            join benefit on benefit.company_id = forecast.company_id and benefit.id = forecast_line.benefit_id
            join member on member.company_id = forecast.company_id and member.id = benefit.member_id
            where forecast_line.company_id = forecast.company_id and forecast_line.forecast_id = forecast.id
              and ${isHeld('member.company_id', 'member.tax_id', 'member.id')})
        order by forecast.company_id, forecast.id`,
      remove: update(`with lines as (delete from forecast_line where company_id = $1 and forecast_id = $2)
        delete from forecast where company_id = $1 and id = $2`),
    },
  ],
  import: [
    {
      due: `select null::uuid as "companyId", member_import.id from member_import
        where member_import.finished_at < $1::date
          and exists (select 1 from member_import_error where import_id = member_import.id and content is not null)
          and not ${isFileHeld.member_import}
        order by member_import.id`,
      remove: update('update member_import_error set content = null where import_id = $1 and content is not null'),
    },
  ],
  event: {
    due: `select event.company_id as "companyId", event.id from event where event.at < $1::date order by event.company_id, event.id`,
    task: deleteOldEvents,
  },
  job: {
    due: `select null::uuid as "companyId", decision_job.id from decision_job where decision_job.finished_at < $1::date order by decision_job.id`,
    task: ({ database }) => deleteExpiredJobs(database),
  },
  account: [
    {
      due: `select null::uuid as "companyId", client.id from client where client.revoked_at < $1::date and client.name <> 'erased' order by client.id`,
      remove: async (sql, { id }) => {
        await sql.execute('delete from passkey where client_id = $1', [id])
        await sql.execute('delete from person where client_id = $1', [id])
        return (await sql.execute(`update client set name = 'erased' where id = $1 and name <> 'erased'`, [id])) === 0
          ? null
          : []
      },
    },
  ],
  'subject-request': [
    {
      due: `select null::uuid as "companyId", subject_request.id from subject_request
        where subject_request.closed_at < $1::date and subject_request.tax_id is not null
          and not exists (select 1 from legal_hold where held_tax_id = subject_request.tax_id)
        order by subject_request.id`,
      remove: update(
        'update subject_request set tax_id = null, note = null, cancel_reason = null where id = $1 and tax_id is not null',
      ),
    },
  ],
  audit: null,
}

/** The rows that are due, at most `limit` (null: all). @param before the day before which the period began. */
export async function readDue(
  sql: Sql,
  { due }: Pick<RetentionStep, 'due'>,
  before: LocalDate,
  limit: number | null,
): Promise<DueRow[]> {
  return sql.queryPlanned<DueRow>(`${due} limit $2`, [before, limit])
}
