import { expect, test } from 'vitest'
import { csv, upload as uploadFile } from '../../world/carrier-file.ts'
import { holder, ndjson, sendImport } from '../../world/import.ts'
import { putInvoice, sendFile as sendInvoiceFile } from '../../world/invoice.ts'
import { openShipper, type Shipper } from '../../world/shipment.ts'
import { type Company, expectOk, type Json, openTestApp, primary, type TestApp, until } from '../../world/test-app.ts'
import { invitationBody, invited } from '../../world/onboarding.ts'
import { named, upload } from '../../world/upload.ts'

const path = '/operator/v1/retention'
const ended = { 'start-date': '2019-03-01', 'end-date': '2020-10-31' }
const idsOf = ({ body }: Json): Json =>
  Object.fromEntries(
    (body.result.classes ?? body.result)
      .map((one: Json) => [one.class, one.ids.toSorted()])
      .filter(([, ids]: Json) => ids.length > 0),
  )

async function imported(testApp: TestApp, company: Company, more: Json = {}): Promise<string> {
  const line = holder(company, more)
  expectOk(await sendImport(testApp.operator, ndjson([line])))
  const [row] = await testApp.sql('select id from member where tax_id = $1', [line['tax-id']])
  return row?.['id']
}

/** One row of each class that is due, and one that is not. @returns the ids of those due, by class. */
async function fill(testApp: TestApp, shipper: Shipper): Promise<Json> {
  const { company, partner } = shipper
  const old = await imported(testApp, company, ended)
  await imported(testApp, company)
  await imported(testApp, company, { ...ended, 'end-date': '2024-10-31' })
  const refused: string[] = []
  for (const day of ['2026-01-10', '2026-11-01']) {
    const documents = named(await upload(partner))
    const { 'request-id': requestId } = await testApp.include(partner, company, [primary({ documents })])
    const [row] = await testApp.sql('select id from enrollment where request_id = $1', [requestId])
    expectOk(
      await testApp.operator.post(`/operator/v1/enrollment/${row?.['id']}/transition`, {
        status: 'rejected',
        reason: 'Não',
      }),
    )
    await testApp.sql('update enrollment set updated_at = $2 where id = $1', [row?.['id'], day])
    refused.push(row?.['id'])
  }
  const line = [{ 'tax-id': '52998224725', name: 'HELENA' }]
  const file = await uploadFile(testApp, { ...shipper, month: '2020-10' }, csv(line))
  await uploadFile(testApp, { ...shipper, month: '2026-10' }, csv(line))
  const invoice = await putInvoice(testApp, company, {
    'reference-period-start': '2020-01-01',
    'reference-period-end': '2020-01-31',
  })
  const statement = await sendInvoiceFile(testApp, invoice, { type: 'detailed-statement' })
  await sendInvoiceFile(testApp, invoice, {})
  await sendImport(testApp.operator, ndjson([holder(company, { 'product-name': 'Não existe' })]))
  const [broken] = await testApp.sql('select import_id from member_import_error')
  await testApp.sql(`update member_import set finished_at = '2026-01-01', created_at = '2026-01-01' where id = $1`, [
    broken?.['import_id'],
  ])
  const request = { 'tax-id': '52998224725', kind: 'access' }
  const { result } = expectOk(await testApp.operator.post('/operator/v1/subject-request', request)).body
  await testApp.sql(`update subject_request set status = 'fulfilled', closed_at = '2020-01-01' where id = $1`, [
    result['subject-request-id'],
  ])
  const unused = await upload(partner)
  await testApp.sql(
    `update document set created_at = created_at - interval '9 days', uploaded_at = uploaded_at - interval '9 days' where id = $1`,
    [unused],
  )
  await upload(partner)
  const drafts: string[] = []
  for (const days of [50, 30]) {
    const draft = await invited(partner, invitationBody(company))
    const names = ['created_at', 'expires_at', 'delete_after']
    const earlier = names.map((name) => `(${name} - interval '${days} days')::text as ${name}`)
    const [moved] = await testApp.sql(`select ${earlier.join(', ')} from onboarding_invitation where id = $1`, [
      draft.id,
    ])
    const set = names.map((name, index) => `${name} = $${index + 2}`)
    await testApp.sql(`update onboarding_invitation set ${set.join(', ')} where id = $1`, [
      draft.id,
      ...names.map((name) => moved?.[name]),
    ])
    drafts.push(draft.id)
  }
  const [event] = await testApp.sql(
    `insert into event (company_id, id, type, at, data) values ($1, '01890000-0000-7000-8000-000000000000', 'invoice.paid', '2023-06-28', '{}') returning id`,
    [company.id],
  )
  const [job] = await testApp.sql(
    `insert into decision_job (id, actor, address, request_trace_id, dry_run, status, lines, created_at, finished_at)
     values (gen_random_uuid(), $1, '127.0.0.1', 'trace', false, 'done', 0, '2026-01-01', '2026-01-01') returning id`,
    [testApp.operator.clientId],
  )
  const [forecast] = await testApp.sql(
    `insert into forecast (company_id, id, contract_id, reference_month, as_of, without_price, frozen_at)
     select company_id, gen_random_uuid(), id, '2023-10', '2023-09-20', 0, now() from contract where id = $1 returning id`,
    [shipper.contractId],
  )
  const client = await testApp.partner()
  await testApp.sql(`update client set revoked_at = '2020-01-01' where id = $1`, [client.clientId])
  return {
    'unused-document': [unused],
    draft: [drafts[0]],
    event: [event?.['id']],
    job: [job?.['id']],
    'refused-document': [refused[0]],
    benefit: [old],
    'carrier-file': [file['file-id']],
    invoice: [statement.fileId],
    forecast: [forecast?.['id']],
    import: [broken?.['import_id']],
    account: [client.clientId],
    'subject-request': [result['subject-request-id']],
  }
}

test('a dry run names what a run then deletes, class by class, and a second run deletes nothing', async () => {
  const testApp = await openTestApp()
  try {
    const due = await fill(testApp, await openShipper(testApp))
    const report = await testApp.operator.get(path)
    expect(idsOf(report)).toEqual(due)
    expect(report.body.result.map((one: Json) => one.class).toSorted()).toEqual(Object.keys(due).toSorted())
    expect(idsOf(expectOk(await testApp.operator.post(path)))).toEqual(due)
    expect(idsOf(await testApp.operator.get(path))).toEqual({})
    expect(idsOf(expectOk(await testApp.operator.post(path)))).toEqual({})
    const [left] = await testApp.sql(`select (select count(*)::int from member where name <> 'erased') as members,
      (select count(*)::int from document) as documents, (select count(*)::int from carrier_file where storage_key is not null) as files,
      (select array_agg(type) from invoice_file) as invoice_files`)
    expect(left).toEqual({ members: 2, documents: 2, files: 1, invoice_files: ['payment-slip'] })
  } finally {
    await testApp.close()
  }
})

test('runs at once delete and report each thing once', async () => {
  const testApp = await openTestApp()
  try {
    await fill(testApp, await openShipper(testApp))
    await Promise.all(Array.from({ length: 4 }, () => testApp.operator.post(path)))
    const rows = await testApp.sql(
      `select action, target from audit where action in ('retention.deleted', 'onboarding.deleted', 'member.erased')
       group by 1, 2 having count(*) > 1`,
    )
    expect(rows).toEqual([])
  } finally {
    await testApp.close()
  }
})

test('a legal hold on a company or a person, and another setting, stop it', async () => {
  const testApp = await openTestApp({ VIGENCIA_RETENTION: 'account=off,benefit=365,draft=40' })
  try {
    const [shipper, company] = [await openShipper(testApp), await testApp.company()]
    await fill(testApp, shipper)
    const holder1 = await imported(testApp, company, ended)
    const [person] = await testApp.sql('select tax_id from member where id = $1', [holder1])
    for (const held of [{ 'company-tax-id': shipper.company.taxId }, { 'tax-id': person?.['tax_id'] }]) {
      expectOk(await testApp.operator.post('/operator/v1/legal-hold', { ...held, reason: 'Processo' }))
    }
    const due = await imported(testApp, company, { ...ended, 'end-date': '2025-10-31' })
    expect(idsOf(await testApp.operator.get(path))).toMatchObject({ benefit: [due] })
    expect(Object.keys(idsOf(await testApp.operator.get(path)))).toEqual([
      'unused-document',
      'event',
      'job',
      'subject-request',
      'benefit',
    ])
  } finally {
    await testApp.close()
  }
})

test('the service deletes it by itself in the hours of the setting', async () => {
  const testApp = await openTestApp({ VIGENCIA_RETENTION: 'benefit=0' })
  try {
    const member = await imported(testApp, await testApp.company(), ended)
    expect(idsOf(await testApp.operator.get(path))).toMatchObject({ benefit: [member] })
    await testApp.restart({ VIGENCIA_RETENTION_HOURS: '0-24' })
    await until(
      async () => idsOf(await testApp.operator.get(path)),
      (due) => due['benefit'] === undefined,
    )
  } finally {
    await testApp.close()
  }
})

test('drafts are kept for the days of the setting, or without an end, but not for less than their link works', async () => {
  for (const [setting, days] of [
    ['draft=60', 60],
    ['draft=3', 15],
    ['draft=off', null],
  ] as const) {
    const testApp = await openTestApp({ VIGENCIA_RETENTION: setting })
    try {
      const company = await testApp.company()
      const partner = await testApp.partner(company.taxId)
      const { id } = await invited(partner, invitationBody(company))
      const [row] = await testApp.sql(
        `select case when isfinite(delete_after) then extract(day from delete_after - created_at)::int end as days
         from onboarding_invitation where id = $1`,
        [id],
      )
      expect([setting, row?.['days']]).toEqual([setting, days])
    } finally {
      await testApp.close()
    }
  }
})
