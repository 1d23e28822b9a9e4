import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DescribedCommand, describedCommands } from '#apps/cli/openapi.ts'
import { inputsOf, type NamedInput } from '#apps/cli/operation-inputs.ts'
import { anyClient, type Cli, openCli, openStandIn, respondJson } from './command.ts'

/* The calls that the commands make, on a stub: what each operation does is tested over HTTP. */
const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const other = '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'
const cpf = '52998224725'
const cnpj = '12ABC34501DE35'
const leaving = ['--end-date', '2026-11-30', '--reason', 'dismissal']
const details = { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' }

let cli: Cli
let standIn: Awaited<ReturnType<typeof openStandIn>>

beforeAll(async () => {
  cli = await openCli()
  standIn = await openStandIn(({ method, path }, response) => {
    if (method === 'DELETE') {
      response.writeHead(204).end()
      return
    }
    const isMany = /(enrollment\/transition|decision|inclusion|exclusion|enrollment\/alteration)$/.test(path)
    const result = method === 'GET' || isMany ? [] : { id, status: 'completed' }
    const slot = { 'document-id': id, 'upload-url': `${standIn.url}/upload/${id}` }
    const counts = { lines: 1, accepted: 1, rejected: 0, errors: [], status: 'done', 'import-id': id }
    respondJson(response, 200, { ...slot, ...counts, 'request-id': id, result, 'enrollment-summary': {} })
  })
  await cli.signIn(standIn.url, { partner: anyClient, operator: anyClient })
})
beforeEach(() => {
  standIn.calls.length = 0
})
afterAll(async () => {
  await cli.clear()
  await standIn.close()
})

type Row = readonly [words: string | readonly string[], call: string, body?: unknown]
/** Those by hand, and some that are generated. */
const rows: readonly Row[] = [
  [`company show ${cnpj} --as partner`, `GET /v1/company/${cnpj}`],
  [`decision-job result ${id}`, `GET /operator/v1/decision-job/${id}/result`],
  ['search --query aurora', 'GET /operator/v1/search?q=aurora'],
  [
    `benefit ageing-out --days 30 --contract-id ${id}`,
    `GET /operator/v1/ageing-out?within-days=30&contract-id=${id}&page=1`,
  ],
  ['invoice show a/b', 'GET /operator/v1/invoice/a%2Fb'],
  [
    `continuation offer ${id} --notice-date 2026-11-25 --prices {"age-band":"0-18","amount":"412.35"}`,
    `POST /operator/v1/continuation/${id}/notice`,
    { 'notice-date': '2026-11-25', prices: [{ 'age-band': '0-18', amount: '412.35' }] },
  ],
  [
    'continuation calculate --reason dismissal --contributed --contribution-months 40 --notice-date 2026-11-25 --end-date 2026-11-30 --as partner',
    'POST /v1/continuation/calculate',
    {
      'exclusion-reason': 'dismissal',
      contributed: true,
      'contribution-months': 40,
      'notice-date': '2026-11-25',
      'end-date': '2026-11-30',
    },
  ],
  ['operator remove x --yes', 'DELETE /operator/v1/operator/x'],
  [
    `requirement-rule simulate --company-tax-id ${cnpj} --product-id ${id} --movement inclusion --beneficiary-type dependent --document-type other`,
    'POST /operator/v1/requirement-rule/simulate',
    {
      'company-tax-id': cnpj,
      'product-id': id,
      movement: 'inclusion',
      'beneficiary-type': 'dependent',
      'document-types': ['other'],
    },
  ],
  [
    `price-table adjust ${id} --valid-from 2027-03-01 --basis-points 1523`,
    `POST /operator/v1/price-table/${id}/adjust`,
    { 'valid-from': '2027-03-01', 'basis-points': 1523 },
  ],
  ['client create Folha', 'POST /operator/v1/client', { name: 'Folha', 'company-tax-ids': [] }],
  [
    `enrollment complete ${other} --card-number 1`,
    `POST /operator/v1/enrollment/${other}/transition`,
    { status: 'completed', 'card-number': '1' },
  ],
  [
    `enrollment complete ${other} --end-date 2031-01-31 --yes`,
    `POST /operator/v1/enrollment/${other}/transition`,
    { status: 'completed', 'end-date': '2031-01-31', confirm: true },
  ],
  [
    `enrollment reject ${id} ${id} --reason no`,
    'POST /operator/v1/enrollment/transition',
    { status: 'rejected', reason: 'no', 'enrollment-ids': [id, id] },
  ],
  [`enrollment cancel ${other}`, `POST /operator/v1/enrollment/${other}/transition`, { status: 'cancelled' }],
  [
    [
      'enrollment',
      'transition',
      'pending-documents',
      other,
      '--reason',
      'x',
      '--item',
      'document:rescission:Both pages',
      'field:name:Typo',
    ],
    `POST /operator/v1/enrollment/${other}/transition`,
    {
      status: 'pending-documents',
      reason: 'x',
      'pending-items': [
        { kind: 'document', 'document-type': 'rescission', message: 'Both pages' },
        { kind: 'field', field: 'name', message: 'Typo' },
      ],
    },
  ],
  [`enrollment unassign ${other}`, `PUT /operator/v1/enrollment/${other}/assignee`, { assignee: null }],
  [
    `benefit end ${id} --end-date 2031-01-31 --reason law --yes`,
    `POST /operator/v1/benefit/${id}/end`,
    { 'end-date': '2031-01-31', reason: 'law', confirm: true },
  ],
  [
    ['exclude', 'company', cpf, cnpj, ...leaving, '--reference', 'r'],
    `POST /v1/enrollment/exclusion/${cpf}/company/${cnpj}`,
    { 'exclusion-details': details, reference: 'r' },
  ],
  [
    ['exclude', 'product', cpf, id, ...leaving, '--dry-run'],
    `POST /v1/enrollment/exclusion/${cpf}/product/${id}?dry-run=true`,
    { 'exclusion-details': details },
  ],
  [
    ['exclude', 'product', cpf, id, ...leaving, '--extension-plan'],
    `POST /v1/enrollment/exclusion/${cpf}/product/${id}`,
    { 'exclusion-details': { ...details, 'extension-plan': true } },
  ],
  [
    `exclude product ${cpf} ${id} --end-date 2026-11-30 --reason retirement --contributed true --contribution-months 130 --keeps-working-after-retirement --notice-date 2026-11-01 --option accepted --option-date 2026-11-10`,
    `POST /v1/enrollment/exclusion/${cpf}/product/${id}`,
    {
      'exclusion-details': {
        'end-date': '2026-11-30',
        'exclusion-reason': 'retirement',
        contributed: true,
        'contribution-months': 130,
        'keeps-working-after-retirement': true,
        'notice-date': '2026-11-01',
        option: 'accepted',
        'option-date': '2026-11-10',
      },
    },
  ],
  [
    ['exclude', 'benefit', cpf, id, ...leaving, '--resolution', 'approve'],
    `POST /v1/enrollment/exclusion/${cpf}/benefit/${id}?resolution=approve`,
    { 'exclusion-details': details },
  ],
  [
    ['exclude', 'dependent', cpf, cpf, ...leaving, '--document', `rescission=${id}`],
    `POST /v1/enrollment/exclusion/${cpf}/dependent-of/${cpf}`,
    { 'exclusion-details': { ...details, documents: [{ 'document-type': 'rescission', 'document-id': id }] } },
  ],
  [
    `alter ${cpf} --set monthly-salary=520000 --set phone=11987654321 --company-tax-id ${cnpj}`,
    `POST /v1/enrollment/alteration/${cpf}`,
    { 'company-tax-id': cnpj, 'alteration-data': { 'monthly-salary': 520_000, phone: '11987654321' } },
  ],
  [`cancel ${other} --reason mistake`, `POST /v1/enrollment/${other}/cancel`, { reason: 'mistake' }],
  [
    `answer ${other} --set name=Ana --comment ok`,
    `POST /v1/enrollment/${other}/answer`,
    { data: { name: 'Ana' }, comment: 'ok' },
  ],
  ['clock advance --business-date 2026-12-01', 'POST /operator/v1/clock', { 'business-date': '2026-12-01' }],
  [
    `webhook trigger ${id} --type invoice.paid`,
    `POST /v1/webhook-endpoint/${id}/test`,
    { 'event-type': 'invoice.paid' },
  ],
  [`webhook trigger ${id}`, `POST /v1/webhook-endpoint/${id}/test`, {}],
]

async function lastCall(
  words: string | readonly string[],
): Promise<{ line: string; body: unknown; code: number | null; err: string }> {
  const outcome = await cli.run([...(typeof words === 'string' ? words.split(' ') : words), '--json'])
  const call = standIn.calls.at(-1)
  call?.query.delete('items-per-page')
  const query = [...(call?.query ?? [])].map(([name, value]) => `${name}=${value}`).join('&')
  const line = `${call?.method} ${call?.path}${query === '' ? '' : `?${query}`}`
  return { line, body: call?.body ? JSON.parse(call.body) : undefined, code: outcome.code, err: outcome.err }
}

test.for(rows)('%s', async ([words, line, body]) => {
  const call = await lastCall(words)
  expect({ code: call.code, line: call.line, err: call.err }).toMatchObject({ code: 0, line })
  expect(call.body).toEqual(body)
})

const golden = fileURLToPath(new URL('operations.txt', import.meta.url))

/** The words of a generated command with all that it takes, for each API that has it. */
function wordsOf(ofApis: readonly DescribedCommand[], file: string): string[][] {
  const named = Object.assign({}, ...ofApis.map(({ cli: one }) => one)) as DescribedCommand['cli']
  const inputs = inputsOf(named, ofApis)
  // Each has a value of its own.
  const valueOf = (input: NamedInput) => {
    const { name, place, example, schema } = input
    if (name === 'file') return file
    const value = String(example ?? schema.enum?.[0] ?? (schema.type === 'integer' ? 7 : name))
    return place === 'path' && value.length === 36 ? `${value.slice(0, -1)}${inputs.indexOf(input)}` : value
  }
  return ofApis.map(({ api, inputs: own }) => {
    const taken = inputs.filter(
      ({ name, place }) => name === 'file' || own.some((one) => one.name === name && one.place === place),
    )
    const words = taken.flatMap((input) => {
      if (!input.syntax.startsWith('--')) return [valueOf(input)]
      const [option = ''] = input.syntax.split(' ')
      return input.syntax === option ? [option] : [option, valueOf(input)]
    })
    const yes = named.irreversible === undefined ? [] : ['--yes']
    return [...named.command.split(' '), ...words, ...yes, ...(ofApis.length > 1 ? ['--as', api] : [])]
  })
}

/*
 * What each generated command sends when it gets all that it takes: read the difference of the file. It is written again by
 * `npx vitest run test/cli/operations.test.ts -u`.
 */
test('each generated command makes the call of its operation, as operations.txt has it', async () => {
  const file = await cli.file('body.json', '{"name":"Aurora"}')
  const all: string[] = []
  for (const ofApis of Map.groupBy(describedCommands(), (one) => one.cli.command).values()) {
    for (const [index, words] of wordsOf(ofApis, file).entries()) {
      standIn.calls.length = 0
      const { line, body, code, err } = await lastCall(words)
      const called = ofApis[index] as DescribedCommand
      expect({ words, code, err, line }).toMatchObject({ code: 0, line: expect.stringMatching(patternOf(called.line)) })
      const sent = body === undefined ? [] : [`  ${JSON.stringify(body)}`]
      all.push([words.map((word) => (word === file ? 'body.json' : word)).join(' '), `  ${line}`, ...sent].join('\n'))
    }
  }
  await expect(`${all.toSorted().join('\n')}\n`).toMatchFileSnapshot(golden)
})

/** `GET /v1/company/{company-tax-id}`, with any values. */
const patternOf = (operation: string) => new RegExp(`^${operation.replaceAll(/\{[^}]+\}/g, '[^/]+')}(\\?|$)`)

test('commands with a file send it', async () => {
  const json = await cli.file('a.json', JSON.stringify({ 'company-tax-id': cnpj, members: [] }))
  const invoice = await cli.file('invoice.json', '{"amount":1}')
  const pdf = await cli.file('boleto.pdf', '%PDF-1.4')
  const decisions = await cli.file('decisions.csv', `enrollment-id;status\n${other};completed\n`)
  const leavers = await cli.file('leavers.csv', `tax-id;product-id;end-date\n${cpf};${id};2026-10-01\n${cpf};;\n`)
  const sent = async (words: string) => {
    const outcome = await cli.run([...words.split(' '), '--json'])
    expect(outcome).toMatchObject({ code: 0 })
    return standIn.calls.at(-1)
  }
  expect(await sent(`company put ${json}`)).toMatchObject({ method: 'PUT', path: `/operator/v1/company/${cnpj}` })
  expect(await sent(`column-profile put ${cnpj} ${json}`)).toMatchObject({ method: 'PUT' })
  expect(await sent(`column-profile put ${cnpj} ${json} --as partner`)).toMatchObject({
    path: `/v1/column-profile/${cnpj}`,
  })
  const roster = await cli.file('cadastro.csv', 'name\nAna\n')
  expect(await sent(`carrier-file upload ${id} ${roster} --kind roster --reference-month 2026-11`)).toMatchObject({
    method: 'POST',
    path: '/operator/v1/carrier-file',
    query: new URLSearchParams({
      'contract-id': id,
      kind: 'roster',
      'reference-month': '2026-11',
      name: basename(roster),
    }),
  })
  const supplementary = `carrier-file upload ${id} ${roster} --kind invoice --invoice-kind supplementary`
  expect((await sent(`${supplementary} --reference-month 2026-11`))?.query.get('invoice-kind')).toBe('supplementary')
  expect(await sent(`contract put ${id} ${json}`)).toMatchObject({
    method: 'PUT',
    path: `/operator/v1/contract/${id}`,
    body: JSON.stringify({ 'company-tax-id': cnpj, members: [] }),
  })
  expect(await sent(`include ${json}`)).toMatchObject({ method: 'POST', path: '/v1/enrollment/inclusion' })
  expect(await sent(`import ${leavers}`)).toMatchObject({ path: '/operator/v1/member/import' })
  expect(await sent(`invoice put a ${invoice}`)).toMatchObject({ path: '/operator/v1/invoice/a', body: '{"amount":1}' })
  const attached = await sent(`invoice attach a ${pdf} --type invoice --file-id ${id}`)
  expect(attached).toMatchObject({ method: 'PUT', path: `/operator/v1/invoice/a/file/${id}`, body: '%PDF-1.4' })
  expect(attached?.query.get('name')).toBe('boleto.pdf')
  expect(await sent(`document upload ${pdf}`)).toMatchObject({ method: 'PUT', path: `/upload/${id}`, body: '%PDF-1.4' })
  expect((await sent(`enrollment decide ${decisions} --dry-run`))?.body).toContain('completed')
  expect((await sent(`enrollment decide ${decisions} --yes`))?.query.get('confirm')).toBe('true')
  const answers = await cli.file('retorno.csv', 'CPF;Situação\n1;Aceito\n')
  const acknowledged = await sent(`shipment acknowledge ${id} ${answers} --dry-run`)
  expect(acknowledged).toMatchObject({ method: 'POST', path: `/operator/v1/shipment/${id}/acknowledgement` })
  expect(acknowledged?.query.get('dry-run')).toBe('true')
  expect((await cli.run(['shipment', 'acknowledge', id, answers])).code).toBe(1)
  const batch = await sent(`exclude file ${leavers} --company-tax-id ${cnpj} --end-date 2026-11-30 --reason dismissal`)
  expect(batch?.path).toBe('/v1/enrollment/exclusion')
  expect(batch?.headers['idempotency-key']).toMatch(/^"[0-9a-f]{64}-1"$/)
  const alterations = await cli.file('alterations.json', '{"members":[{"tax-id":"1","alteration-data":{"phone":"2"}}]}')
  const altering = await sent(`alter file ${alterations} --company-tax-id ${cnpj} --resolution approve`)
  expect(altering).toMatchObject({ method: 'POST', path: '/v1/enrollment/alteration' })
  expect(altering?.query.get('resolution')).toBe('approve')
  expect(JSON.parse(altering?.body ?? '')).toEqual({
    'company-tax-id': cnpj,
    members: [{ 'tax-id': '1', 'alteration-data': { phone: '2' } }],
  })
  expect(JSON.parse(batch?.body ?? '')).toEqual({
    'company-tax-id': cnpj,
    members: [
      { 'tax-id': cpf, 'product-id': id, 'exclusion-details': { ...details, 'end-date': '2026-10-01' } },
      { 'tax-id': cpf, 'exclusion-details': details },
    ],
  })
})

/** The calls of the commands with a file that are by hand. */
const otherCalls = [
  'POST /v1/roster-sync',
  'POST /operator/v1/roster-sync',
  'PUT /v1/roster-sync/{roster-sync-id}/file',
  'PUT /operator/v1/roster-sync/{roster-sync-id}/file',
  'POST /v1/enrollment/inclusion',
  'POST /v1/enrollment/exclusion',
  'POST /v1/enrollment/alteration',
  'POST /v1/enrollment/document-upload-url',
  'POST /operator/v1/enrollment/decision',
  'POST /operator/v1/shipment/{shipment-id}/acknowledgement',
  'POST /operator/v1/carrier-file',
  'POST /operator/v1/member/import',
  'PUT /operator/v1/invoice/x/file/x',
  'POST /operator/v1/enrollment/document-upload-url',
  'POST /operator/v1/enrollment/inclusion',
  'POST /operator/v1/enrollment/exclusion',
  'POST /operator/v1/enrollment/alteration',
  'POST /operator/v1/enrollment/x/answer',
]

test('every operation of both APIs has a command', () => {
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
  // For machines or browsers, or with another method of the same effect.
  const others =
    /^\/($|(v1\/)?openapi|healthz|readyz|metrics|\.well-known|v1\/health|v1\/authenticate|operator\/v1\/(session|account|brand)|onboarding\/v1|upload\/)|v1\/table|import\/(template|table)$|\/presence$/
  const generated = [...readFileSync(golden, 'utf8').matchAll(/^ {2}([A-Z]+ [^\s?]+)/gm)].map(([, call]) => call ?? '')
  const calls = [...rows.map(([, call]) => call.replace(/\?.*/, '')), ...generated, ...otherCalls]
  const missing = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(get|post|put|patch|delete)$/.test(method) && !others.test(path))
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((operation) => {
        const pattern = new RegExp(`^${operation.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
        return !calls.some((call) => pattern.test(call))
      }),
  )
  expect(missing).toEqual([])
})

test('more than 20 movements, and a file that exists, need --yes without a terminal; ids are checked first', async () => {
  const ids = `${Array.from({ length: 21 }, () => id).join('\n')}\n`
  const refused = await cli.run(['enrollment', 'complete', '-'], { stdin: ids })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('error: 21 movements would be moved to completed, which cannot be undone.')
  expect(standIn.calls).toEqual([])
  expect((await cli.run(['--yes', 'enrollment', 'complete', '-'], { stdin: ids })).code).toBe(0)
  expect((await cli.run(['enrollment', 'complete', '-', '--dry-run'], { stdin: ids })).code).toBe(0)
  expect(standIn.calls.at(-1)).toMatchObject({ path: '/operator/v1/enrollment/decision' })
  const bad = await cli.run(['enrollment', 'complete', '-'], { stdin: `${id}\n\nnonsense\n` })
  expect(bad).toMatchObject({ code: 2, out: '' })
  expect(bad.err).toContain('stdin line 3: "nonsense" is not an enrollment id.')
  const cards = await cli.run(['enrollment', 'complete', id, other, '--card-number', '1'])
  expect(cards.code).toBe(2)
  expect(cards.err).toContain('--card-number is that of one movement')

  const lines = Array.from({ length: 21 }, () => `${id};completed\n`).join('')
  const decisions = await cli.file('many.csv', `enrollment-id;status\n${lines}`)
  expect((await cli.run(['enrollment', 'decide', decisions])).code).toBe(1)
  expect((await cli.run(['enrollment', 'decide', decisions, '--yes'])).code).toBe(0)

  const there = await cli.file('there.zip', 'old')
  const kept = await cli.run(['invoice', 'download', 'a', '--output', there])
  expect(kept).toMatchObject({ code: 1, out: '' })
  expect(kept.err).toContain('exists and would be replaced')
  expect(readFileSync(there, 'utf8')).toBe('old')
  expect((await cli.run(['invoice', 'download', 'a', '--output', there, '--yes'])).code).toBe(0)
  expect(readFileSync(there, 'utf8')).toContain('request-id')
})

test('an argument that is no part of a path ends with 2, and nothing is sent', async () => {
  for (const wrong of ['', '..']) {
    const outcome = await cli.run(['invoice', 'show', wrong])
    expect(outcome).toMatchObject({ code: 2, out: '' })
    expect(outcome.err).toContain('invoice-id is empty or not valid')
  }
  expect(standIn.calls).toEqual([])
})

test('in a terminal it asks, and no means that nothing is done', async () => {
  const answered = (typed: string) =>
    cli.inTerminal(['client', 'revoke', 'x'], { answers: [['Continue? y/n [n]: ', typed]] })
  const no = await answered('n')
  expect(no.code).toBe(1)
  expect(no.out).toContain('Nothing was done.')
  expect(standIn.calls).toEqual([])
  expect((await answered('y')).code).toBe(0)
  expect(standIn.calls).toHaveLength(1)
})
