import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { readConfig } from '#platform/core/config.ts'
import { openLog } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { runProcess } from '#apps/bootstrap.ts'
import type { AutomaticClass } from '#kernel/roster-syncs.ts'
import { confirmAutomatically } from '#movements/drafts/confirm.ts'
import { expiryOf, insertRosterDraft, settleDraft, supersedeDrafts } from '#movements/drafts/rows.ts'
import type { RosterItem } from '#movements/rules/roster.ts'
import { type Client, type Company, monday, type TestApp } from './test-app.ts'

/** What follows from a line of a list, or from one that is not there; what is left out is as in an item that says nothing. */
export type RosterRow = Partial<Omit<RosterItem, 'class'>> &
  Pick<RosterItem, 'class'> & { readonly family?: string; readonly position?: number }

interface Options {
  readonly covered?: Readonly<Record<string, number>>
  readonly scopeKey?: string
  readonly isDoubtful?: boolean
  /** The classes that are confirmed without anybody. */
  readonly automatic?: readonly AutomaticClass[]
}

/** The end of a comparison of a list: its draft. @returns its id. */
export async function insertRoster(
  app: TestApp,
  client: Client,
  company: Company,
  rows: readonly RosterRow[],
  options: Options = {},
): Promise<string> {
  const config = readConfig({
    VIGENCIA_DATABASE_URL: app.databaseUrl,
    VIGENCIA_MASTER_KEY: app.masterKey,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_ROLE: 'api',
    VIGENCIA_PORT: '0',
    VIGENCIA_BUSINESS_DATE: monday,
  })
  const running = await runProcess(
    config,
    app.databaseUrl,
    Buffer.from(app.masterKey, 'base64'),
    openLog(process.env['VIGENCIA_TEST_LOG_LEVEL'] ?? 'silent'),
  )
  try {
    return await insertRosterIn(running.context, app.sql, client, company, rows, options)
  } finally {
    await running.close()
  }
}

/** The same, in a context that is there. */
async function insertRosterIn(
  context: Context,
  sql: TestApp['sql'],
  { clientId }: Client,
  company: Company,
  rows: readonly RosterRow[],
  { covered = {}, scopeKey = randomUUID(), isDoubtful = false, automatic = [] }: Options = {},
): Promise<string> {
  const id = uuidv7()
  const [found] = await sql<{ api: ClientActor['kind'] }>('select api from client where id = $1', [clientId])
  const members = await sql<{ id: string; taxId: string }>(
    'select id, tax_id as "taxId" from member where company_id = $1 and tax_id = any($2)',
    [company.id, rows.map(({ taxId }) => taxId)],
  )
  const idOf = new Map<string | null | undefined, string>(members.map((one) => [one.taxId, one.id]))
  const items = rows.map(({ family, position, ...row }, index) => {
    const memberId = idOf.get(row.taxId) ?? null
    const item: RosterItem = {
      movement: null,
      taxId: null,
      memberId,
      name: null,
      employeeId: null,
      memberType: 'primary',
      productId: null,
      productName: null,
      lines: [index + 1],
      entry: null,
      differences: [],
      explanation: null,
      enrollmentIds: [],
      byNumberOnly: false,
      alsoEnds: 0,
      needs: [],
      offenses: [],
      ...row,
    }
    return { family: family ?? memberId ?? row.taxId ?? `line ${index}`, position: position ?? index + 1, item }
  })
  await sql(
    `insert into roster_sync (company_id, id, created_by, states, within, scope_key, as_of, defaults, accept_doubts, automatic, status, format,
       sha256, size, created_at, finished_at)
     values ($1, $2, $3, '{people}', '{}', $4, $5, '{}', '{}', false, 'compared', 'csv', sha256(random()::text::bytea), 1, now(), now())`,
    [company.id, id, clientId, scopeKey, monday],
  )
  const actor: ClientActor = {
    kind: found?.api ?? 'partner',
    clientId,
    origin: { address: '127.0.0.1', traceId: 'list' },
  }
  await write(context, { kind: 'service' }, { may: 'service' }, async (tx) => {
    await tx.query(
      `insert into roster_item (company_id, sync_id, family, position, item)
       select $1, $2, family, position, item from json_to_recordset($3::json) as sent(family text, position integer, item jsonb)`,
      [company.id, id, JSON.stringify(items)],
    )
    const counts = await insertRosterDraft(tx, actor, {
      id,
      companyId: company.id,
      reference: null,
      intake: null,
      scopeKey,
      covered,
      isDoubtful,
      expiresOn: expiryOf(context.today()),
    })
    await tx.query('delete from roster_item where company_id = $1 and sync_id = $2', [company.id, id])
    await supersedeDrafts(tx, company.id, scopeKey, id)
    if (counts.length === 0) return
    await settleDraft(tx, company.id, id, 'done')
    if (automatic.length > 0) await confirmAutomatically(context, tx, actor, company.id, id, automatic)
  })
  return id
}
