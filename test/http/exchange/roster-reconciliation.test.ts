import { expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { readViolations } from '../../crash/invariants.ts'
import { partOf } from '../../platform/tables/workbook.ts'
import { csv, discrepanciesOf, reconcile, reconciliationPath, repeat, upload } from '../../world/carrier-file.ts'
import { calendar } from '../../world/contract.ts'
import { cover as coverIn, rosterRow as row } from '../../world/covered.ts'
import { whileLocked } from '../../world/locked-table.ts'
import { openShipper, type Shipper } from '../../world/shipment.ts'
import { expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const cover = (shipper: Shipper, count: number, more?: (index: number) => Json) =>
  coverIn(testApp, shipper, count, more)

/** A reconciliation of these lines. */
async function compare(
  shipper: Shipper,
  lines: readonly Json[],
  more: Json = {},
): Promise<{ id: string; found: Json[] }> {
  const file = await upload(testApp, shipper, csv(lines))
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'], more)
  return { id, found: await discrepanciesOf(testApp, id) }
}

test('who ended here, who ended there, and a card that is missing here', async () => {
  const shipper = await openShipper(testApp)
  const covered = await cover(shipper, 4, (index) => ({
    ...(index === 0 && { 'end-date': '2026-10-15' }),
    ...(index === 3 && { 'card-number': undefined }),
  }))
  const lines = covered.map(row)
  const { found } = await compare(shipper, [
    lines[0],
    { ...lines[1], 'end-date': '2026-11-10' },
    lines[2],
    { ...lines[3], 'card-number': '77' },
    { ...lines[2], 'tax-id': '52998224725', 'card-number': '88', name: 'Ninguém', 'end-date': '2026-01-31' },
  ])
  expect(found.map((one) => [one.class, one['member-name'], one.expected, one.found, one.days])).toEqual([
    ['active-at-carrier-ended-here', covered[0]?.name, '2026-10-15', null, 36],
    ['card-number-missing-here', covered[3]?.name, null, '77', null],
    ['ended-at-carrier-active-here', covered[1]?.name, null, '2026-11-10', 10],
  ])
})

test('one click takes over the card, the end, the start and the name that the carrier has, by movements in the queue', async () => {
  const shipper = await openShipper(testApp)
  const covered = await cover(shipper, 4, (index) => (index === 0 ? { 'card-number': undefined } : {}))
  const lines = covered.map(row)
  const { id, found } = await compare(shipper, [
    { ...lines[0], 'card-number': '77' },
    { ...lines[1], 'end-date': '2026-11-10' },
    { ...lines[2], 'start-date': '2026-02-01' },
    { ...lines[3], name: 'Outro Nome' },
    { ...lines[3], 'card-number': '99', 'tax-id': '52998224725', name: 'Nova Pessoa', 'date-of-birth': '1991-02-03' },
  ])
  const idOf = (name: string): string => found.find((one) => one.class === name)['discrepancy-id']
  const correct = (name: string, body?: Json) =>
    testApp.operator.post(`/operator/v1/discrepancy/${idOf(name)}/correct`, body)
  const corrected = async (name: string, body?: Json): Promise<Json> => expectOk(await correct(name, body)).body.result
  expect(await corrected('card-number-missing-here')).toMatchObject({
    status: 'corrected',
    'card-number': '77',
    'request-id': null,
  })
  expect(await corrected('start-date-differs')).toMatchObject({ status: 'corrected' })
  const exclusion = await corrected('ended-at-carrier-active-here', { 'exclusion-reason': 'resignation' })
  const alteration = await corrected('name-differs')
  const refused = await correct('unknown-here')
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid-members'])
  expect(refused.body.result[0].offenses).toEqual(['missing-gender', 'missing-mothers-name'])
  const inclusion = await corrected('unknown-here', { member: { 'mothers-name': 'Ana Lima', gender: 'female' } })
  const ofRequests = await testApp.sql<Json>(
    `select request_id as id, enrollment_type as type, status, initial_actor as actor, data, effective_date::text as day from enrollment
     where company_id = $1 order by created_at`,
    [shipper.company.id],
  )
  const requested = await testApp.sql<Json>(
    'select id, client_id as client, status from request where company_id = $1',
    [shipper.company.id],
  )
  expect(new Set(requested.map(({ client }) => client))).toEqual(new Set([testApp.operator.clientId]))
  await testApp.finished(shipper.partner, inclusion['request-id'])
  const enrollments = new Map(ofRequests.map((one: Json) => [one.id, one]))
  expect(enrollments.get(exclusion['request-id'])).toMatchObject({
    type: 'exclusion',
    actor: 'operator',
    day: '2026-11-10',
  })
  expect(enrollments.get(alteration['request-id'])).toMatchObject({
    type: 'alteration',
    data: { 'alteration-data': { name: 'Outro Nome' } },
  })
  // A second click, and a class that the carrier corrects.
  const again = await correct('name-differs')
  expect([again.status, again.body.code]).toEqual([409, 'discrepancy-not-correctable'])
  await repeat(testApp, id)
  const later = await discrepanciesOf(testApp, id)
  expect(new Set(later.map(({ status }) => status))).toEqual(new Set(['corrected']))
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('an open movement explains what differs, and one that was completed after the cut-off', async () => {
  const shipper = await openShipper(testApp, { calendar: calendar(10) })
  const covered = await cover(shipper, 3)
  const [first, , third] = covered
  const excluded = await shipper.partner.post(
    `/v1/enrollment/exclusion/${first?.taxId}/benefit/${first?.benefitId}?resolution=approve`,
    {
      'exclusion-details': {
        'end-date': '2026-11-19',
        'exclusion-reason': 'requested-by-beneficiary',
        'extension-plan': false,
      },
    },
  )
  expectOk(excluded)
  expectOk(
    await shipper.partner.post(`/v1/enrollment/exclusion/${third?.taxId}/benefit/${third?.benefitId}`, {
      'exclusion-details': {
        'end-date': '2026-11-20',
        'exclusion-reason': 'requested-by-beneficiary',
        'extension-plan': false,
      },
    }),
  )
  await until(
    () => testApp.sql<Json>(`select status from benefit where id = $1`, [first?.benefitId]),
    ([one]) => one?.['status'] === 'inactive',
  )
  const { id, found } = await compare(shipper, [
    row(covered[0]!),
    row(covered[1]!),
    { ...row(third!), 'end-date': '2026-11-15' },
  ])
  expect(found.map((one) => [one.class, one.status, one.explanation])).toEqual([
    ['active-at-carrier-ended-here', 'explained', 'within-cut-off'],
    ['ended-at-carrier-active-here', 'explained', 'open-movement'],
  ])
  expect((await discrepanciesOf(testApp, id, '&explanation=open-movement')).map((one) => one['member-name'])).toEqual([
    third?.name,
  ])
})

test('discrepancies are explained, accepted, noted and assigned, one or many, and that stays', async () => {
  const shipper = await openShipper(testApp)
  const covered = await cover(shipper, 6)
  const { id, found } = await compare(
    shipper,
    covered.slice(0, 5).map((one) => ({ ...row(one), name: `${one.name} Lima` })),
  )
  const change = (body: Json) => testApp.operator.post(`/operator/v1/reconciliation/${id}/discrepancy`, body)
  const names = { filter: { class: 'name-differs' } }
  const refusals = [
    {},
    { status: 'accepted' },
    { ...names, 'discrepancy-ids': [found[0]['discrepancy-id']], status: 'accepted' },
    { ...names, status: 'explained' },
    { ...names, assignee: 'nobody' },
    names,
  ]
  for (const body of refusals) expect((await change(body)).status).toBe(400)
  expect(expectOk(await change({ ...names, status: 'accepted', note: 'A operadora abrevia' })).body.result).toEqual({
    changed: 5,
  })
  const missing = found.find((one) => one.class === 'missing-at-carrier')['discrepancy-id']
  const one = {
    'discrepancy-ids': [missing],
    status: 'explained',
    note: 'Vem na próxima',
    assignee: testApp.operator.clientId,
  }
  expect(expectOk(await change(one)).body.result).toEqual({ changed: 1 })
  const summary = await repeat(testApp, id)
  expect(summary.counts).toEqual([
    { class: 'missing-at-carrier', open: 0, explained: 1, claimed: 0, corrected: 0, accepted: 0, amount: null },
    { class: 'name-differs', open: 0, explained: 0, claimed: 0, corrected: 0, accepted: 5, amount: null },
  ])
  const [kept] = await discrepanciesOf(testApp, id, '&class=missing-at-carrier')
  expect(kept).toMatchObject({ explanation: 'by-hand', note: 'Vem na próxima', assignee: testApp.operator.clientId })
  expect(await discrepanciesOf(testApp, id, `&assignee=${testApp.operator.clientId}&q=pessoa`)).toHaveLength(1)
  expect(expectOk(await change({ 'discrepancy-ids': [missing], status: 'open', note: null })).body.result).toEqual({
    changed: 1,
  })
  const [open] = await discrepanciesOf(testApp, id, '&status=open')
  expect(open).toMatchObject({ class: 'missing-at-carrier', explanation: null, note: null })
})

test('a file is deleted after its comparison is computed, and not compared once it is deleted', async () => {
  const shipper = await openShipper(testApp)
  const file = await upload(testApp, shipper, csv([{ name: 'Nobody Here' }]))
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  const path = `/operator/v1/carrier-file/${file['file-id']}`
  // As a worker that computes it has it.
  const computing = `select from reconciliation where company_id = '${shipper.company.id}' and id = '${id}' for update;
    insert into discrepancy (company_id, id, reconciliation_id, class, status, created_at, updated_at)
    select company_id, gen_random_uuid(), id, 'line-refused', 'open', now(), now() from reconciliation where id = '${id}'`
  const [gone] = await whileLocked(testApp, computing, [() => testApp.operator.delete(path)])
  expect(gone?.status).toBe(204)
  const other = await upload(testApp, shipper, csv([{ name: 'Nobody Else' }]))
  const deleting = `delete from carrier_line where file_id = '${other['file-id']}'; delete from carrier_file where id = '${other['file-id']}'`
  const body = { 'carrier-file-id': other['file-id'] }
  const [late] = await whileLocked(testApp, deleting, [() => testApp.operator.post(reconciliationPath, body)])
  expect([late?.status, late?.body.code]).toEqual([404, 'carrier-file-not-found'])
})

test('auditors and finance get masked CPFs, and the export is a workbook', async () => {
  const shipper = await openShipper(testApp)
  const [first] = await cover(shipper, 1)
  const { id } = await compare(shipper, [{ ...row(first!), 'tax-id': '529.982.247-25' }])
  const finance = await testApp.operatorOf('finance')
  const auditor = await testApp.operatorOf('auditor')
  const [masked] = await discrepanciesOf({ ...testApp, operator: finance }, id)
  expect([masked['member-tax-id'], masked.found]).toEqual([expect.stringMatching(/^\*\*\*/), '***.982.247-**'])
  const change = { filter: {}, status: 'accepted' }
  expect((await auditor.post(`/operator/v1/reconciliation/${id}/discrepancy`, change)).status).toBe(403)
  expect(expectOk(await finance.post(`/operator/v1/reconciliation/${id}/discrepancy`, change)).body.result).toEqual({
    changed: 1,
  })
  const headers = { authorization: `Bearer ${auditor.token}`, 'accept-language': 'pt-BR' }
  const response = await fetch(`${testApp.url}/operator/v1/reconciliation/${id}/export`, { headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, xlsxType])
  const sheet = await partOf(Buffer.from(await response.arrayBuffer()), 'xl/worksheets/sheet1.xml')
  for (const text of ['CPF diferente', 'Aceita', '***.982.247-**', first?.name]) expect(sheet).toContain(text)
  expect(sheet).not.toContain('52998224725')
})
