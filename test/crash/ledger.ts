import type { Batch } from './traffic.ts'

export type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

/** What is still to be done: nothing, once the service has caught up. */
export async function readOpenWork(ask: Ask, today: string): Promise<number> {
  const [row] = await ask<{ open: number }>(
    `select ((select count(*) from work) + (select count(*) from inclusion_chunk)
       + (select count(*) from request where status = 'processing')
       + (select count(*) from enrollment where status = 'scheduled' and scheduled_action_date <= $1))::int as open`,
    [today],
  )
  return row?.open ?? -1
}

/** Each statement selects what must not be there. */
const rules: Readonly<Record<string, string>> = {
  'work without a request that is processing': `
    select w.id from work w left join request r on r.id = w.target_id and r.status = 'processing' where r.id is null`,
  'a request that is processing without work': `
    select r.id from request r left join work w on w.target_id = r.id where r.status = 'processing' and w.id is null`,
  'a chunk of a request that is not processing': `
    select h.request_id from inclusion_chunk h join request r on r.id = h.request_id where r.status <> 'processing'`,
  'a finished request without exactly one event of its end': `
    with told as (select data->>'request-id' as id, count(*) as n, max(type) as type from event where type like 'request.%' group by 1)
    select r.id from request r left join told on told.id = r.id::text
    where r.status <> 'processing' and (told.n, told.type) is distinct from (1, 'request.' || replace(r.status, '-', '_'))`,
  'an event of the end of a request that goes on': `
    select e.id from event e join request r on r.id::text = e.data->>'request-id'
    where e.type like 'request.%' and r.status = 'processing'`,
  'a request without exactly one audit row': `
    with noted as (select target, count(*) as n from audit where action = 'inclusion.requested' group by 1)
    select r.id from request r full join noted on noted.target = r.id::text where r.id is null or noted.n is distinct from 1`,
  'an enrollment without exactly one event of its creation': `
    with told as (select data->>'enrollment-id' as id, count(*) as n from event where type = 'enrollment.created' group by 1)
    select e.id, told.id as told from enrollment e full join told on told.id = e.id::text
    where e.id is null or told.n is distinct from 1`,
  'an enrollment whose history, events and audit rows differ in number': `
    with told as (select data->>'enrollment-id' as id, count(*) as n from event
        where type like 'enrollment.%' and type <> 'enrollment.created' group by 1),
      noted as (select target as id, count(*) as n from audit where action like 'enrollment.%' group by 1),
      kept as (select enrollment_id::text as id, count(*) as n, max(step) as last from enrollment_history group by 1)
    select id from kept full join told using (id) full join noted using (id)
    where kept.n is distinct from told.n or kept.n is distinct from noted.n or kept.n is distinct from kept.last`,
  'an enrollment in another state than its history says': `
    select e.id from enrollment e left join lateral (select status from enrollment_history h
      where h.company_id = e.company_id and h.enrollment_id = e.id order by step desc limit 1) last on true
    where e.status <> coalesce(last.status, e.initial_status)`,
  'an inclusion without the benefit that its state calls for': `
    select e.id, e.status, b.status as benefit from enrollment e
    left join benefit b on b.company_id = e.company_id and b.id = e.benefit_id
    where case when e.status in ('rejected', 'cancelled') then b.id is not null
      when e.status = 'completed' then b.status is null or b.status = 'pending' else b.status is distinct from 'pending' end`,
  'a benefit without exactly one enrollment': `
    select b.id from benefit b left join enrollment e on e.company_id = b.company_id and e.benefit_id = b.id
    group by b.id having count(e.id) <> 1`,
  'a benefit with another member than its enrollment': `
    select b.id from benefit b join enrollment e on e.company_id = b.company_id and e.benefit_id = b.id
    where (b.member_id, b.product_id, b.type) is distinct from (e.member_id, e.product_id, e.member_type)`,
  'a member without a benefit': `
    select m.id from member m left join benefit b on b.company_id = m.company_id and b.member_id = m.id where b.id is null`,
  'a benefit in force without exactly one event of its activation': `
    with told as (select data->>'benefit-id' as id, count(*) as n from event where type = 'benefit.activated' group by 1)
    select b.id from (select * from benefit where status <> 'pending') b full join told on told.id = b.id::text
    where b.id is null or told.n is distinct from 1`,
}

/** Every rule that the database breaks, with some of what breaks it; empty when all is well. */
export async function readBreaches(ask: Ask): Promise<Record<string, object[]>> {
  const breaches: Record<string, object[]> = {}
  for (const [rule, statement] of Object.entries(rules)) {
    const rows = await ask(`${statement} limit 5`)
    if (rows.length > 0) breaches[rule] = rows
  }
  return breaches
}

/** What is wrong, once nothing is open: rules that are broken, and batches otherwise than they were sent. Empty when all is well. */
export async function readFaults(ask: Ask, batches: readonly Batch[]): Promise<Record<string, unknown>> {
  const { faults } = await compare(ask, batches)
  return { ...(await readBreaches(ask)), ...(faults.length > 0 ? { batches: faults.slice(0, 20) } : {}) }
}

export interface Kept {
  /** What the database holds of the batches otherwise than it should. */
  readonly faults: readonly string[]
  /** Batches that are there although nobody got their answer. */
  readonly unanswered: number
}

/** Compares the database with what was sent: answered batches stand there once, the others once or not at all, each whole. */
export async function compare(ask: Ask, batches: readonly Batch[]): Promise<Kept> {
  const requests = await ask<{ id: string; parts: string[] }>(
    `select request_id as id, array_agg(member_tax_id || ' ' || product_name order by member_tax_id, product_name) as parts
     from enrollment group by request_id`,
  )
  const batchOfPart = new Map(batches.flatMap((batch) => batch.parts.map((part) => [part, batch] as const)))
  const found = new Map<Batch, string>()
  const faults: string[] = []
  let unanswered = 0
  for (const { id, parts } of requests) {
    const batch = batchOfPart.get(parts[0] ?? '')
    if (batch === undefined) continue
    if (found.has(batch)) faults.push(`${id} and ${found.get(batch)} hold the same batch`)
    found.set(batch, id)
    if (batch.requestId === null) unanswered += 1
    else if (batch.requestId !== id) faults.push(`${id} is not ${batch.requestId}, which was answered`)
    if (parts.join() !== batch.parts.toSorted().join()) {
      faults.push(`${id} holds ${parts.length} parts of ${batch.parts.length}`)
    }
  }
  for (const batch of batches) {
    if (batch.requestId !== null && !found.has(batch)) faults.push(`${batch.requestId} was answered and is not there`)
  }
  return { faults, unanswered }
}
