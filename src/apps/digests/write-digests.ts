import type { Context } from '#platform/http/context.ts'
import { isBusinessDay } from '#kernel/business-days.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { DEFAULT_FREQUENCIES, DIGESTS } from '#kernel/mail.ts'
import { isMailOn } from '#platform/core/mails.ts'
import { write } from '#platform/core/write.ts'
import { isOverdueAtCarrier } from '#movements/queue/queries.ts'
import { digestCounts } from './counts.ts'

/** From this hour of Sao Paulo a digest of the day is written. */
const firstHour = 7
const quarterMs = 15 * 60_000

const hourOf = (instant: Date): number =>
  Number(
    new Intl.DateTimeFormat('en', { timeZone: 'America/Sao_Paulo', hour: 'numeric', hourCycle: 'h23' }).format(instant),
  )

/** Whether digests of the day are written now: on business days. What the broker does on a bank holiday does not matter. */
const isDailyTime = (now: Date, today: LocalDate): boolean =>
  hourOf(now) >= firstHour && isBusinessDay(today, { holidays: 'national', ownHolidays: [] })

const counts = digestCounts(isOverdueAtCarrier('$1'))
const found = DIGESTS.map(
  (kind) => `select '${kind}' as kind, counted.* from (${counts[kind]}) counted(client_id, name, count, newest)`,
)

/*
 * One statement, whatever the number of people. The unique key person, kind and period makes each digest one, whichever process writes it. What is
 * sent at once is sent when something came after the last mail of its kind; deadlines come with the day.
 */
const text = `insert into mail (id, kind, recipient_id, counts, period, status, next_attempt_at, created_at, expires_at)
  select gen_random_uuid(), digest.kind, digest.client_id, digest.counts,
    case when digest.frequency = 'daily' or digest.kind = 'deadlines' then digest.frequency || ' ' || $1::date else 'at-once ' || $4::text end,
    'queued', now(), now(), now() + interval '1 day'
  from (
    select found.kind, found.client_id, jsonb_object_agg(found.name, found.count) as counts, max(found.newest) as newest,
      coalesce(min(mail_preference.frequencies->>found.kind), $5::jsonb->>found.kind) as frequency
    from (${found.join(' union all ')}) found left join mail_preference on mail_preference.client_id = found.client_id
    where found.count > 0 group by found.kind, found.client_id) digest
  where case digest.frequency when 'daily' then $3::boolean
    when 'at-once' then digest.newest > coalesce((select max(mail.created_at) from mail where mail.recipient_id = digest.client_id
      and mail.kind = digest.kind), now() - interval '1 day') else false end
  on conflict (recipient_id, kind, period) do nothing`

/** Writes the digests that are due into the outbox. @returns how many. */
export async function writeDigests(
  { database, config, today }: Pick<Context, 'database' | 'config' | 'today'>,
  now = database.now(),
): Promise<number> {
  if (!isMailOn(config)) return 0
  const day = today()
  const quarter = new Date(Math.floor(now.getTime() / quarterMs) * quarterMs).toISOString().slice(0, 16)
  const values = [day, config.deadlineEventDays, isDailyTime(now, day), quarter, JSON.stringify(DEFAULT_FREQUENCIES)]
  return write({ database }, { kind: 'clock' }, { may: 'service' }, (tx) => tx.execute(text, values))
}
