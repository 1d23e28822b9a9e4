import { unzip } from '../world/invoice.ts'
import { expectOk, type Json, until } from '../world/test-app.ts'
import type { Installation } from './installation.ts'
import { compare, type Query, readViolations } from './invariants.ts'
import type { Stored } from './mixed-load.ts'
import type { RetryingClient } from './retrying-client.ts'
import type { Tenant } from './tenant.ts'

/** What was lost or doubled in a round, as sentences. */
export interface Losses {
  readonly lost: string[]
  readonly doubled: string[]
  /** Violated invariants, audit findings, error lines and other differences. */
  readonly other: string[]
}

/** Counts what waits to be processed, of each kind; without the kinds of which there is none. */
export async function readWaiting(ask: Query, today: string): Promise<Record<string, number>> {
  const counts = {
    work: 'select count(*) from work',
    items: 'select count(*) from movement_item',
    processing: `select count(*) from request where status = 'processing'`,
    scheduled: `select count(*) from enrollment where status = 'scheduled' and scheduled_action_date <= $1`,
    ending: `select count(*) from benefit b where b.status = 'active' and b.end_date <= $1 and not exists (select from benefit n
      where n.replaces_company_id = b.company_id and n.replaces_id = b.id and n.status = 'pending')`,
    overdue: 'select count(*) from invoice where unpaid_due_date < $1 and not overdue_event_written',
    imports: `select count(*) from member_import where status = 'running'`,
    events: 'select (select count(*) from event_batch) + (select count(*) from webhook_fan_out)',
    deliveries: `select count(*) from webhook_delivery where status = 'pending'`,
    leases: 'select count(*) from webhook_delivery where leased_until is not null',
    claims: 'select count(*) from idempotency_key where status is null',
    audit: 'select count(*) from audit_pending',
  }
  const columns = Object.entries(counts).map(([name, text]) => `(${text})::int as ${name}`)
  const [row] = await ask<Record<string, number>>(`select ${columns.join(', ')}, $1::date as today`, [today])
  return Object.fromEntries(Object.entries(row ?? {}).filter(([name, count]) => name !== 'today' && count !== 0))
}

/** Pending deliveries as sentences: why each still waits. */
export async function readPendingDeliveries(ask: Query): Promise<string[]> {
  const rows = await ask<{ text: string }>(
    `select format('delivery %s: attempt %s, step %s, due in %s s, lease ends in %s s, attempt before: %s %s', d.id, d.attempt, d.step,
       round(extract(epoch from d.next_attempt_at - clock_timestamp())),
       coalesce(round(extract(epoch from d.leased_until - clock_timestamp()))::text, 'no'), coalesce(f.response_status::text, 'none'), f.error) as text
     from webhook_delivery d left join webhook_delivery f
       on f.event_id = d.event_id and f.endpoint_id = d.endpoint_id and f.attempt = d.attempt - 1
     where d.status = 'pending' order by d.next_attempt_at limit 10`,
  )
  return rows.map(({ text }) => text)
}

export interface CheckTarget {
  readonly client: RetryingClient
  readonly installation: Installation
  readonly tenant: Tenant
  readonly ask: Query
  readonly stored: Stored
  /** The webhook-ids that the receiver got. */
  readonly received: ReadonlySet<string>
}

/** Checks everything that the service acknowledged against what it shows and stores. Called when nothing waits any more. */
export async function checkStored(target: CheckTarget): Promise<Losses> {
  const losses: Losses = { lost: [], doubled: [], other: [] }
  const { ask, stored, installation } = target
  const { differences } = await compare(ask, stored.batches)
  for (const one of differences) (one.includes('is not stored') ? losses.lost : losses.doubled).push(one)
  await checkMovements(target, losses)
  await checkShipments(target, losses)
  await checkMonths(target, losses)
  await checkPeople(target, losses)
  await checkImports(target, losses)
  await checkEvents(target, losses)
  await checkReplays(target, losses)
  await checkFiles(target, losses)
  const { client } = target
  // What was read for these checks is audited too.
  const audit = await until(
    async () => expectOk(await client.send('operator', 'GET', '/operator/v1/audit/verification')).body.result,
    ({ pending }) => pending === 0,
  )
  if (audit.intact !== true) losses.other.push(`audit: ${JSON.stringify(audit)}`)
  const violations = await readViolations(ask, installation.businessDate)
  if (Object.keys(violations).length > 0) losses.other.push(JSON.stringify(violations))
  losses.other.push(...installation.takeErrorLines())
  return losses
}

/** @returns what reports the ids that are not counted once. @param text its one value is the ids. */
const counting =
  (ask: Query, { lost, doubled }: Losses) =>
  async (kind: string, ids: readonly string[], text: string): Promise<void> => {
    const rows = await ask<{ id: string; count: number }>(text, [ids])
    const counts = new Map(rows.map(({ id, count }) => [id, count]))
    for (const id of ids) {
      const count = counts.get(id) ?? 0
      if (count === 0) lost.push(`${kind} ${id}`)
      if (count > 1) doubled.push(`${kind} ${id}: ${count}`)
    }
  }

/** Each call that made a movement has made one, however often it was sent; each answer is one step of the history. */
async function checkMovements({ ask, stored }: CheckTarget, losses: Losses): Promise<void> {
  const counted = counting(ask, losses)
  const ofMember = (
    type: string,
  ) => `select member_tax_id as id, count(distinct request_id)::int as count from enrollment
    where enrollment_type = '${type}' and member_tax_id = any($1) group by 1`
  await counted('exclusion', stored.excluded, ofMember('exclusion'))
  await counted('alteration', stored.altered, ofMember('alteration'))
  await counted(
    'answer',
    stored.answered,
    `select enrollment_id as id, count(*)::int as count from enrollment_history
     where enrollment_id = any($1::uuid[]) and reason = 'Segue em anexo' group by 1`,
  )
  const requests = await ask<{ id: string; count: number }>(
    `select data->>'request-id' as id, count(*)::int as count from event where type like 'request.%' group by 1 having count(*) > 1`,
  )
  for (const { id } of requests) losses.doubled.push(`event of request ${id}`)
}

/** Each movement of a shipment went to the carrier once and was answered once; no close made a second shipment. */
async function checkShipments({ ask, stored }: CheckTarget, losses: Losses): Promise<void> {
  const { shipments } = stored
  const counted = counting(ask, losses)
  const accepted = shipments.flatMap((one) => one.accepted)
  const refused = shipments.flatMap((one) => one.refused)
  const steps = (status: string) => `select enrollment_id as id, count(*)::int as count from enrollment_history
    where enrollment_id = any($1::uuid[]) and status = '${status}' group by 1`
  const items = (status: string) => `select enrollment_id as id, count(*)::int as count from shipment_item
    where enrollment_id = any($1::uuid[]) and status = '${status}' group by 1`
  await counted('sent', [...accepted, ...refused], steps('carrier-processing'))
  await counted('completed', accepted, steps('completed'))
  await counted('pending', refused, steps('pending-correction'))
  await counted('accepted item', accepted, items('accepted'))
  await counted('refused item', refused, items('refused'))
  const ids = shipments.map(({ id }) => id)
  const files = `select shipment_id as id, count(*)::int as count from shipment_file where shipment_id = any($1::uuid[]) group by 1`
  await counted('file of shipment', ids, files)
  const others = await ask<{ id: string }>(
    `select id from shipment where contract_id = any($1::uuid[]) and id <> all($2::uuid[]) and status <> 'open'`,
    [shipments.map(({ contractId }) => contractId), ids],
  )
  for (const { id } of others) losses.doubled.push(`shipment ${id}`)
}

/** Each invoice was read, compared, claimed, closed and exported once, with all its lines. */
async function checkMonths({ ask, stored: { months } }: CheckTarget, losses: Losses): Promise<void> {
  const counted = counting(ask, losses)
  for (const { fileId, contractId, month, lines } of months) {
    const rows = await ask<{ count: number; matched: number }>(
      'select count(*)::int as count, count(benefit_id)::int as matched from carrier_line where file_id = $1',
      [fileId],
    )
    const { count = 0, matched = 0 } = rows[0] ?? {}
    if (count < lines || matched < lines - 1) losses.lost.push(`lines of ${fileId}: ${count}, ${matched} matched`)
    if (count > lines) losses.doubled.push(`lines of ${fileId}: ${count}`)
    const files = `select reference_month as id, count(*)::int as count from carrier_file
      where contract_id = '${contractId}' and reference_month = any($1) group by 1`
    await counted('carrier file', [month], files)
    const acts = (
      table: string,
      condition: string,
    ) => `select reference_month as id, count(*)::int as count from ${table}
      where company_id = (select company_id from contract where id = '${contractId}') and reference_month = any($1) ${condition} group by 1`
    const ofClosing = ', jsonb_array_elements(closing.acts) act'
    await counted('closing', [month], acts(`closing${ofClosing}`, `and act.value ->> 'act' = 'closed'`))
    await counted('payroll export', [month], acts('payroll_export', ''))
  }
  const of = (table: string, id: string) =>
    `select ${id} as id, count(*)::int as count from ${table} where ${id} = any($1::uuid[]) group by 1`
  await counted(
    'reconciliation',
    months.map(({ fileId }) => fileId),
    of('reconciliation', 'carrier_file_id'),
  )
  await counted(
    'claim',
    months.map(({ reconciliationId }) => reconciliationId),
    of('claim', 'reconciliation_id'),
  )
  await counted(
    'line of claim',
    months.map(({ claimId }) => claimId),
    of('claim_line', 'claim_id'),
  )
}

/** Each invitation became one inclusion, each copy was made, and each erasure approved and done, once. */
async function checkPeople({ ask, stored: { people } }: CheckTarget, losses: Losses): Promise<void> {
  const counted = counting(ask, losses)
  const audited = (action: string) => `select target as id, count(*)::int as count from audit
    where target = any($1) and action = '${action}' group by 1`
  const taxIds = people.map(({ taxId }) => taxId)
  const inclusions = `select member_tax_id as id, count(distinct request_id)::int as count from enrollment
    where member_tax_id = any($1) group by 1`
  await counted('inclusion of an invitation', taxIds, inclusions)
  for (const action of ['onboarding.created', 'onboarding.submitted', 'onboarding.approved']) {
    await counted(
      action,
      people.map(({ invitationId }) => invitationId),
      audited(action),
    )
  }
  const erasures = people.map(({ erasureId }) => erasureId)
  await counted('erasure.approved', erasures, audited('erasure.approved'))
  const fulfilled = [...erasures, ...people.map(({ accessId }) => accessId)]
  await counted('subject-request.fulfilled', fulfilled, audited('subject-request.fulfilled'))
  const left = await ask<{ id: string }>(
    `select tax_id as id from member where tax_id = any($1) union select member_tax_id from enrollment where member_tax_id = any($1)`,
    [people.map(({ erased }) => erased)],
  )
  for (const { id } of left) losses.lost.push(`erasure of ${id}`)
}

/** Each accepted line is one benefit. */
async function checkImports({ ask, stored }: CheckTarget, { lost, doubled }: Losses): Promise<void> {
  const rows = await ask<{ cpf: string; count: number }>(
    `select m.tax_id as cpf, count(*)::int as count from member m
     join benefit b on b.company_id = m.company_id and b.member_id = m.id where m.tax_id = any($1) group by 1`,
    [stored.imported],
  )
  if (rows.length !== stored.imported.length) lost.push(`${stored.imported.length - rows.length} imported lines`)
  for (const { cpf, count } of rows) if (count > 1) doubled.push(`imported ${cpf}: ${count}`)
}

/** Each event was delivered, unless its delivery is still pending, which is not lost; nothing was delivered that is no event; an invoice is issued once. */
async function checkEvents({ ask, received }: CheckTarget, { lost, doubled, other }: Losses): Promise<void> {
  const events = await ask<{ id: string; pending: boolean }>(
    `select v.id, exists (select from webhook_delivery d where d.event_id = v.id and d.status = 'pending') as pending from event v`,
  )
  const ids = new Set(events.map(({ id }) => id))
  for (const { id, pending } of events) if (!pending && !received.has(id)) lost.push(`event ${id} was not delivered`)
  for (const id of received) if (!ids.has(id)) other.push(`event ${id} was delivered and is not stored`)
  const issued = await ask<{ id: string; count: number }>(
    `select i.id, count(v.id)::int as count from invoice i
     left join event v on v.company_id = i.company_id and v.type = 'invoice.issued' and v.data->>'invoice-id' = i.id
     group by i.id having count(v.id) <> 1`,
  )
  for (const { id, count } of issued) (count === 0 ? lost : doubled).push(`event of invoice ${id}: ${count}`)
}

/** Each key gets its first response again. */
async function checkReplays({ client, installation, tenant }: CheckTarget, { doubled }: Losses): Promise<void> {
  const url = await installation.url()
  for (const { path, body, key, response } of client.calls) {
    const headers = { 'idempotency-key': key, authorization: `Bearer ${tenant.token}` }
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const again = await fetch(url + path, { method: 'POST', headers: { ...headers, ...type }, ...json })
    const text = await again.text()
    const isReplay = again.headers.get('idempotency-replayed') === 'true'
    if (!isReplay || again.status !== response.status || text !== response.text)
      doubled.push(`replay of ${path}: ${text}`)
  }
}

/** Each uploaded file has its bytes. */
async function checkFiles({ client, installation, tenant, stored }: CheckTarget, { lost }: Losses): Promise<void> {
  const url = await installation.url()
  const read = async (path: string): Promise<Buffer> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${tenant.operatorToken}` } })
    return response.ok ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0)
  }
  for (const { requestId, id, bytes } of stored.documents) {
    const { body } = expectOk(await client.send('partner', 'GET', `/v1/request/${requestId}`))
    const [parts] = Object.values<Json>(body['status-by-tax-id'])
    const [part] = Object.values<Json>(parts)
    const found = await read(`/operator/v1/enrollment/${part['enrollment-id']}/document/${id}`)
    if (!found.equals(bytes)) lost.push(`document ${id}`)
  }
  for (const { id, bytes } of stored.invoices) {
    const zip = await read(`/operator/v1/invoice/${encodeURIComponent(id)}/download`)
    const files =
      zip.length === 0 ? [] : zip.subarray(0, 2).toString() === 'PK' ? unzip(zip).map((one) => one.bytes) : [zip]
    if (!files.some((file) => file.equals(bytes))) lost.push(`file of invoice ${id}`)
  }
}
