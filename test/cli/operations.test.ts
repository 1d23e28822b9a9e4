import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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

const reads: readonly Row[] = [
  ['company list --query aurora', 'GET /operator/v1/company?q=aurora&page=1'],
  ['company list --as partner', 'GET /v1/company?page=1'],
  [`company show ${cnpj}`, `GET /operator/v1/company/${cnpj}`],
  [`company show ${cnpj} --as partner`, `GET /v1/company/${cnpj}`],
  [`company headcount ${cnpj}`, `GET /operator/v1/company/${cnpj}/headcount`],
  [`company roster ${cnpj} --include-inactive`, `GET /operator/v1/company/${cnpj}/roster?include-inactive=true`],
  [`product list --company-tax-id ${cnpj}`, `GET /v1/product?company-tax-id=${cnpj}`],
  ['client list', 'GET /operator/v1/client?page=1'],
  ['decision-job list', 'GET /operator/v1/decision-job?page=1'],
  [`decision-job show ${id}`, `GET /operator/v1/decision-job/${id}`],
  [`decision-job undo ${id}`, `POST /operator/v1/decision-job/${id}/undo`],
  [`decision-job result ${id}`, `GET /operator/v1/decision-job/${id}/result`],
  ['operator list', 'GET /operator/v1/operator?page=1'],
  ['person list', 'GET /operator/v1/person?page=1'],
  [`person show ${id}`, `GET /operator/v1/person/${id}`],
  [
    'enrollment list --carrier Aurora --due-before 2026-12-01 --sort due-date --query helena --assignee x',
    'GET /operator/v1/enrollment?carrier-name=Aurora&due-before=2026-12-01&assignee=x&q=helena&sort=due-date&page=1',
  ],
  [
    `enrollment list --status open --product-id ${id} --from 2026-11-01 --until 2026-11-02 --due-from 2026-12-01`,
    `GET /operator/v1/enrollment?status=open&product-id=${id}&from-dt=2026-11-01&until-dt=2026-11-02&due-from=2026-12-01&page=1`,
  ],
  [
    'enrollment count --type exclusion --resolved-from 2026-11-01 --resolved-until 2026-11-02',
    'GET /operator/v1/enrollment/count?enrollment-type=exclusion&resolved-from-dt=2026-11-01&resolved-until-dt=2026-11-02',
  ],
  ['clock show', 'GET /operator/v1/clock'],
  ['clock show --as partner', 'GET /v1/sandbox/clock'],
  [
    'deadline list --until 2026-12-10 --assignee none',
    'GET /operator/v1/deadline?until-dt=2026-12-10&assignee=none&page=1',
  ],
  ['search --query aurora', 'GET /operator/v1/search?q=aurora'],
  ['statistics --from 2026-11-01', 'GET /operator/v1/statistics?from-dt=2026-11-01'],
  ['company carriers', 'GET /operator/v1/carrier?page=1'],
  [`carrier show ${id}`, `GET /operator/v1/carrier/${id}`],
  [`column-profile show ${cnpj}`, `GET /operator/v1/column-profile/${cnpj}`],
  [`column-profile show ${cnpj} --as partner`, `GET /v1/column-profile/${cnpj}`],
  [`column-profile delete ${cnpj}`, `DELETE /operator/v1/column-profile/${cnpj}`],
  ['contract list --carrier Aurora', 'GET /operator/v1/contract?carrier-name=Aurora&page=1'],
  [`contract show ${id}`, `GET /operator/v1/contract/${id}`],
  [`contract channel ${id}`, `GET /operator/v1/contract/${id}/channel`],
  [
    `contract calendar ${id} --from 2026-11 --until 2027-03`,
    `GET /operator/v1/contract/${id}/calendar?from=2026-11&until=2027-03&page=1`,
  ],
  ['contract cut-offs --from 2026-11', 'GET /operator/v1/calendar?from=2026-11&page=1'],
  [`shipment list --contract-id ${id} --status open`, `GET /operator/v1/shipment?contract-id=${id}&status=open&page=1`],
  [`shipment show ${id}`, `GET /operator/v1/shipment/${id}`],
  [`shipment items ${id} --status not-ready`, `GET /operator/v1/shipment/${id}/item?status=not-ready&page=1`],
  [`shipment file ${id}`, `GET /operator/v1/shipment/${id}/file`],
  [
    'continuation list --due-until 2027-01-31 --status offered',
    'GET /operator/v1/continuation?status=offered&due-until=2027-01-31&page=1',
  ],
  ['onboarding list --status submitted', 'GET /v1/onboarding-invitation?status=submitted&page=1'],
  [`onboarding show ${id}`, `GET /v1/onboarding-invitation/${id}`],
  [`onboarding document ${id} ${other}`, `GET /v1/onboarding-invitation/${id}/document/${other}`],
  ['continuation list --as partner', 'GET /v1/continuation?page=1'],
  [`continuation show ${id}`, `GET /operator/v1/continuation/${id}`],
  [`continuation show ${id} --as partner`, `GET /v1/continuation/${id}`],
  [`enrollment exclusion-notice ${id}`, `GET /operator/v1/enrollment/${id}/exclusion-notice`],
  [`enrollment exclusion-notice ${id} --as partner`, `GET /v1/enrollment/${id}/exclusion-notice`],
  [`continuation notice ${id}`, `GET /operator/v1/continuation/${id}/notice`],
  [`continuation notice ${id} --as partner`, `GET /v1/continuation/${id}/notice`],
  [`continuation option-form ${id}`, `GET /operator/v1/continuation/${id}/option-form`],
  [`continuation option-form ${id} --as partner`, `GET /v1/continuation/${id}/option-form`],
  [
    `benefit ageing-out --days 30 --contract-id ${id}`,
    `GET /operator/v1/ageing-out?within-days=30&contract-id=${id}&page=1`,
  ],
  ['failed-step list --status put-aside', 'GET /operator/v1/failed-step?status=put-aside&page=1'],
  ['draft-exclusion list --status open', 'GET /operator/v1/draft-exclusion?status=open&page=1'],
  ['view list', 'GET /operator/v1/view'],
  [`view delete ${id}`, `DELETE /operator/v1/view/${id}`],
  ['claim list --status accepted', 'GET /operator/v1/claim?status=accepted&page=1'],
  [`claim export ${id}`, `GET /operator/v1/claim/${id}/export`],
  [`claim show ${id}`, `GET /operator/v1/claim/${id}`],
  [`claim delete ${id}`, `DELETE /operator/v1/claim/${id}`],
  [`subject-request show-plan ${id}`, `GET /operator/v1/subject-request/${id}/plan`],
  ['retention dry-run', 'GET /operator/v1/retention'],
  ['legal-hold list --in-force', 'GET /operator/v1/legal-hold?in-force=true&page=1'],
  ['closing list', 'GET /operator/v1/closing?page=1'],
  [`closing show ${id}`, `GET /operator/v1/closing/${id}`],
  [
    `closing checklist --company-tax-id ${cnpj} --reference-month 2026-11`,
    `GET /operator/v1/closing/checklist?company-tax-id=${cnpj}&reference-month=2026-11`,
  ],
  ['subject-request list --due-until 2026-12-05', 'GET /operator/v1/subject-request?due-until=2026-12-05&page=1'],
  [`subject-request file ${id}`, `GET /operator/v1/subject-request/${id}/file`],
  [
    `member disclosures ${id} --from-at 2026-11-01T00:00:00Z`,
    `GET /operator/v1/member/${id}/disclosure?from-at=2026-11-01T00:00:00Z&page=1`,
  ],
  [`subject-request show ${id}`, `GET /operator/v1/subject-request/${id}`],
  [`price-table list --contract-id ${id}`, `GET /operator/v1/price-table?contract-id=${id}&page=1`],
  [`price-table show ${id}`, `GET /operator/v1/price-table/${id}`],
  [`price-table delete ${id}`, `DELETE /operator/v1/price-table/${id}`],
  ['contribution-rule list', 'GET /operator/v1/contribution-rule?page=1'],
  [`contribution-rule show ${id}`, `GET /operator/v1/contribution-rule/${id}`],
  [`contribution-rule delete ${id}`, `DELETE /operator/v1/contribution-rule/${id}`],
  [
    `contract expected-invoice ${id} --reference-month 2026-11`,
    `GET /operator/v1/contract/${id}/expected-invoice?reference-month=2026-11`,
  ],
  [
    `company cost ${cnpj} --reference-month 2026-11 --group-by person`,
    `GET /operator/v1/company/${cnpj}/cost?reference-month=2026-11&group-by=person&page=1`,
  ],
  [
    `company cost ${cnpj} --reference-month 2026-11 --as partner`,
    `GET /v1/company/${cnpj}/cost?reference-month=2026-11&page=1`,
  ],
  [`company tax-figures ${cnpj} --year 2026`, `GET /operator/v1/company/${cnpj}/tax-figure?year=2026`],
  [
    `payroll preview --company-tax-id ${cnpj} --reference-month 2026-11`,
    `GET /operator/v1/payroll?company-tax-id=${cnpj}&reference-month=2026-11&page=1`,
  ],
  [`payroll list --company-tax-id ${cnpj}`, `GET /operator/v1/payroll-export?company-tax-id=${cnpj}&page=1`],
  [`payroll file ${id}`, `GET /operator/v1/payroll-export/${id}/file`],
  [`payroll profile ${cnpj}`, `GET /operator/v1/company/${cnpj}/payroll-profile`],
  [`payroll delete-profile ${cnpj}`, `DELETE /operator/v1/company/${cnpj}/payroll-profile`],
  ['requirement-rule list', 'GET /operator/v1/requirement-rule?page=1'],
  [`requirement-rule show ${id}`, `GET /operator/v1/requirement-rule/${id}`],
  [`requirement-rule delete ${id}`, `DELETE /operator/v1/requirement-rule/${id}`],
  [
    `requirement list --company-tax-id ${cnpj} --product-id ${id} --movement inclusion --dependent-type spouse`,
    `GET /v1/requirement?company-tax-id=${cnpj}&product-id=${id}&movement=inclusion&dependent-type=spouse`,
  ],
  ['layout list --direction movement', 'GET /operator/v1/layout?direction=movement&page=1'],
  ['layout show mecsas --layout-version 1', 'GET /operator/v1/layout/mecsas?version=1'],
  [
    `carrier-file list --kind roster --reference-month 2026-11`,
    `GET /operator/v1/carrier-file?kind=roster&reference-month=2026-11&page=1`,
  ],
  [`carrier-file show ${id}`, `GET /operator/v1/carrier-file/${id}`],
  [
    `invoice statistics --company-tax-id ${cnpj} --month-count 24`,
    'GET /operator/v1/statistics/invoice?company-tax-id=12ABC34501DE35&month-count=24',
  ],
  [`carrier-file find-benefits ${id} --query souza`, `GET /operator/v1/carrier-file/${id}/benefit?q=souza`],
  [`carrier-file lines ${id} --match unmatched`, `GET /operator/v1/carrier-file/${id}/line?match=unmatched&page=1`],
  [`carrier-file content ${id}`, `GET /operator/v1/carrier-file/${id}/content`],
  [`reconciliation list --contract-id ${id}`, `GET /operator/v1/reconciliation?contract-id=${id}&page=1`],
  [`reconciliation show ${id}`, `GET /operator/v1/reconciliation/${id}`],
  [
    `reconciliation discrepancies ${id} --class unknown-here --search ana`,
    `GET /operator/v1/reconciliation/${id}/discrepancy?class=unknown-here&q=ana&page=1`,
  ],
  [`reconciliation export ${id}`, `GET /operator/v1/reconciliation/${id}/export`],
  [`shipment email ${id}`, `GET /operator/v1/shipment/${id}/email`],
  [`shipment deliveries ${id}`, `GET /operator/v1/shipment/${id}/delivery?page=1`],
  ['enrollment export --status created', 'GET /operator/v1/enrollment/export?status=created'],
  [`enrollment show ${other}`, `GET /operator/v1/enrollment/${other}`],
  [`enrollment show ${other} --as partner`, `GET /v1/enrollment/detail/${other}`],
  [
    `enrollment history --member-tax-id ${cpf} --from 2026-11-01 --type exclusion`,
    `GET /v1/enrollment/history?member-tax-id=${cpf}&enrollment-type=exclusion&from-dt=2026-11-01&page=1`,
  ],
  [`enrollment documents ${other}`, `GET /operator/v1/enrollment/${other}/document`],
  [`enrollment document ${other} ${id}`, `GET /operator/v1/enrollment/${other}/document/${id}`],
  [`enrollment notes ${other}`, `GET /operator/v1/enrollment/${other}/note?page=1`],
  ['member list --filter cost-center=1 --as partner', 'GET /v1/member?filter=cost-center=1&page=1'],
  [`member list --query helena --tax-id ${cpf}`, `GET /operator/v1/member?q=helena&tax-id=${cpf}&page=1`],
  [`member list --disclose`, 'GET /operator/v1/member?disclose=true&page=1'],
  [`member show ${id}`, `GET /operator/v1/member/${id}`],
  [`member show ${id} --disclose`, `GET /operator/v1/member/${id}?disclose=true`],
  [`member show ${id} --as partner`, `GET /v1/member/${id}`],
  [
    `benefit list --member-tax-id ${cpf} --include-inactive --as partner`,
    `GET /v1/benefit?member-tax-id=${cpf}&include-inactive=true&page=1`,
  ],
  ['benefit list', 'GET /operator/v1/benefit?page=1'],
  ['request list --status failed --reference a --as partner', 'GET /v1/request?status=failed&reference=a&page=1'],
  ['request list --type inclusion', 'GET /operator/v1/request?request-type=inclusion&page=1'],
  [`request show ${id}`, `GET /operator/v1/request/${id}`],
  [`request show ${id} --as partner`, `GET /v1/request/${id}`],
  ['invoice list --status all-overdue --as partner', 'GET /v1/invoices?status=all-overdue&page=1'],
  [`invoice list --company-tax-id ${cnpj}`, `GET /operator/v1/invoice?company-tax-id=${cnpj}&page=1`],
  ['invoice pending --from 2026-11-01', 'GET /v1/invoices/pending-payment?from-dt=2026-11-01&page=1'],
  ['invoice show a/b', 'GET /operator/v1/invoice/a%2Fb'],
  ['invoice show a --as partner', 'GET /v1/invoices/a'],
  [`invoice download a --file-id ${id}`, `GET /operator/v1/invoice/a/download?file-id=${id}`],
  ['invoice download a --as partner', 'GET /v1/invoices/a/download'],
  ['import list', 'GET /operator/v1/member/import?page=1'],
  [`import show ${id}`, `GET /operator/v1/member/import/${id}`],
  [`import errors ${id}`, `GET /operator/v1/member/import/${id}/error`],
  ['audit list --actor x --from 2026-11-01', 'GET /operator/v1/audit?actor=x&from-dt=2026-11-01&page=1'],
  [`audit check --expect ${'0a'.repeat(32)}`, `GET /operator/v1/audit/verification?expected-head=${'0a'.repeat(32)}`],
  ['webhook endpoints --failing', 'GET /operator/v1/webhook-endpoint?failing=true&page=1'],
  [`webhook endpoint ${id}`, `GET /operator/v1/webhook-endpoint/${id}`],
  [
    `webhook attempts --endpoint-id ${id} --status failed`,
    `GET /operator/v1/webhook-delivery?webhook-endpoint-id=${id}&status=failed&page=1`,
  ],
  [`webhook sent ${id}`, `GET /operator/v1/webhook-event/${id}`],
  ['webhook list', 'GET /v1/webhook-endpoint?page=1'],
  [`webhook show ${id}`, `GET /v1/webhook-endpoint/${id}`],
  ['webhook events', 'GET /v1/webhook-event?page=1'],
  [`webhook event ${id}`, `GET /v1/webhook-event/${id}`],
  [`webhook deliveries ${id}`, `GET /v1/webhook-event/${id}/delivery?page=1`],
]

const writes: readonly Row[] = [
  ['operator create Ana --role analyst', 'POST /operator/v1/operator', { name: 'Ana', role: 'analyst' }],
  [
    `person invite Ana ana@broker.example --role company-hr --company ${cnpj} --see-money`,
    'POST /operator/v1/person',
    { name: 'Ana', email: 'ana@broker.example', role: 'company-hr', 'company-tax-ids': [cnpj], 'see-money': true },
  ],
  [`person link ${id}`, `POST /operator/v1/person/${id}/link`],
  [`person change ${id} --role finance`, `PATCH /operator/v1/person/${id}`, { role: 'finance' }],
  [`person block ${id}`, `POST /operator/v1/person/${id}/block`],
  [`person unblock ${id}`, `POST /operator/v1/person/${id}/unblock`],
  ['operator role x --role finance', 'PUT /operator/v1/operator/x/role', { role: 'finance' }],
  [
    `carrier put ${id} --name Aurora --ans-registration 326305`,
    `PUT /operator/v1/carrier/${id}`,
    { name: 'Aurora', 'ans-registration': '326305' },
  ],
  [`shipment close ${id} --skip-not-ready`, `POST /operator/v1/shipment/${id}/close`, { 'skip-not-ready': true }],
  [`carrier-file delete ${id}`, `DELETE /operator/v1/carrier-file/${id}`],
  [
    `carrier-file link ${id} 17 --benefit-id ${other}`,
    `POST /operator/v1/carrier-file/${id}/line/17/link`,
    { 'benefit-id': other },
  ],
  [
    `reconciliation create ${id} --as-of 2026-11-20`,
    'POST /operator/v1/reconciliation',
    { 'carrier-file-id': id, 'as-of': '2026-11-20' },
  ],
  [`reconciliation repeat ${id}`, `POST /operator/v1/reconciliation/${id}/repeat`],
  [
    `reconciliation change ${id} --discrepancy ${other} --status accepted --note ok`,
    `POST /operator/v1/reconciliation/${id}/discrepancy`,
    { 'discrepancy-ids': [other], status: 'accepted', note: 'ok' },
  ],
  [
    `discrepancy correct ${id} --end-date 2026-11-30 --exclusion-reason resignation`,
    `POST /operator/v1/discrepancy/${id}/correct`,
    { 'end-date': '2026-11-30', 'exclusion-reason': 'resignation' },
  ],
  [`shipment reopen ${id}`, `POST /operator/v1/shipment/${id}/reopen`],
  [`shipment cancel ${id}`, `POST /operator/v1/shipment/${id}/cancel`],
  [
    `shipment send ${id} --sent-at 2026-12-10T17:40:00Z --carrier-protocol 7`,
    `POST /operator/v1/shipment/${id}/send`,
    { 'sent-at': '2026-12-10T17:40:00Z', 'carrier-protocol': '7' },
  ],
  [`shipment finish ${id}`, `POST /operator/v1/shipment/${id}/finish`],
  [`shipment deliver ${id}`, `POST /operator/v1/shipment/${id}/deliver`],
  [`shipment stop-delivery ${id}`, `DELETE /operator/v1/shipment/${id}/delivery`],
  [
    `shipment item-protocol ${id} 3 P-7`,
    `PUT /operator/v1/shipment/${id}/item/3/carrier-protocol`,
    { 'carrier-protocol': 'P-7' },
  ],
  [
    `continuation create --benefit-id ${id} --ground retirement --contribution-months 130 --leaving-date 2026-11-30`,
    'POST /operator/v1/continuation',
    { 'benefit-id': id, ground: 'retirement', 'contribution-months': 130, 'leaving-date': '2026-11-30' },
  ],
  [
    `continuation offer ${id} --notice-date 2026-11-25`,
    `POST /operator/v1/continuation/${id}/notice`,
    { 'notice-date': '2026-11-25' },
  ],
  [
    `continuation offer ${id} --notice-date 2026-11-25 --prices {"age-band":"0-18","amount":"412.35"}`,
    `POST /operator/v1/continuation/${id}/notice`,
    { 'notice-date': '2026-11-25', prices: [{ 'age-band': '0-18', amount: '412.35' }] },
  ],
  [
    `continuation answer ${id} --option declined --option-date 2026-12-10`,
    `POST /operator/v1/continuation/${id}/option`,
    { option: 'declined', 'option-date': '2026-12-10' },
  ],
  [
    `continuation end ${id} --reason new-job --end-date 2027-03-31`,
    `POST /operator/v1/continuation/${id}/end`,
    { reason: 'new-job', 'end-date': '2027-03-31' },
  ],
  [
    'continuation calculate --reason retirement --contribution-months 130',
    'POST /operator/v1/continuation/calculate',
    { 'exclusion-reason': 'retirement', 'contribution-months': 130 },
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
  ['operator end-former x', 'DELETE /operator/v1/operator/x/former-secret'],
  ['operator rotate x', 'POST /operator/v1/operator/x/rotate-secret'],
  ['operator remove x --yes', 'DELETE /operator/v1/operator/x'],
  ['operator end-sessions x', 'DELETE /operator/v1/operator/x/session'],
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
    `enrollment waive ${other} 1 --reason Dispensado`,
    `POST /operator/v1/enrollment/${other}/requirement/1/waive`,
    { reason: 'Dispensado' },
  ],
  [`onboarding revoke ${id}`, `POST /v1/onboarding-invitation/${id}/revoke`],
  [`onboarding return ${id} --message Nome`, `POST /v1/onboarding-invitation/${id}/return`, { message: 'Nome' }],
  [
    `onboarding approve ${id} --submitted-at 2026-11-26T18:40:12.330Z`,
    `POST /v1/onboarding-invitation/${id}/approve`,
    { 'submitted-at': '2026-11-26T18:40:12.330Z' },
  ],
  [`failed-step retry ${id}`, `POST /operator/v1/failed-step/${id}/retry`],
  [`failed-step delete ${id}`, `DELETE /operator/v1/failed-step/${id}`],
  [`draft-exclusion confirm ${id}`, `POST /operator/v1/draft-exclusion/${id}/confirm`],
  [
    `draft-exclusion discard ${id} --reason Estuda`,
    `POST /operator/v1/draft-exclusion/${id}/discard`,
    { reason: 'Estuda' },
  ],
  [
    `claim create --reconciliation-id ${id} --discrepancy ${other} --note Contestada`,
    'POST /operator/v1/claim',
    { 'reconciliation-id': id, 'discrepancy-ids': [other], note: 'Contestada' },
  ],
  [
    `claim move ${id} --status sent --carrier-protocol 2026-778812`,
    `POST /operator/v1/claim/${id}/status`,
    { status: 'sent', 'carrier-protocol': '2026-778812' },
  ],
  [
    `closing close --company-tax-id ${cnpj} --reference-month 2026-11 --reason Prazo`,
    'POST /operator/v1/closing',
    { 'company-tax-id': cnpj, 'reference-month': '2026-11', reason: 'Prazo' },
  ],
  [
    `subject-request create --tax-id ${cpf} --kind access`,
    'POST /operator/v1/subject-request',
    { 'tax-id': cpf, kind: 'access' },
  ],
  [`subject-request make-file ${id}`, `POST /operator/v1/subject-request/${id}/file`],
  [
    `subject-request move ${id} --status cancelled --cancel-reason Desistiu`,
    `POST /operator/v1/subject-request/${id}/status`,
    { status: 'cancelled', 'cancel-reason': 'Desistiu' },
  ],
  [`subject-request plan ${id}`, `POST /operator/v1/subject-request/${id}/plan`],
  [`subject-request retry ${id}`, `POST /operator/v1/subject-request/${id}/retry`],
  [`subject-request approve ${id}`, `POST /operator/v1/subject-request/${id}/approve`],
  ['retention run', 'POST /operator/v1/retention'],
  [
    `legal-hold set --tax-id ${cpf} --reason Processo`,
    'POST /operator/v1/legal-hold',
    { 'tax-id': cpf, reason: 'Processo' },
  ],
  [
    `legal-hold release ${id} --reason Arquivado`,
    `POST /operator/v1/legal-hold/${id}/release`,
    { reason: 'Arquivado' },
  ],
  [`closing reopen ${id} --reason Reemitida`, `POST /operator/v1/closing/${id}/reopen`, { reason: 'Reemitida' }],
  [
    `price-table adjust ${id} --valid-from 2027-03-01 --basis-points 1523`,
    `POST /operator/v1/price-table/${id}/adjust`,
    { 'valid-from': '2027-03-01', 'basis-points': 1523 },
  ],
  [
    `layout preview generic-csv --enrollment ${id}`,
    'POST /operator/v1/layout/generic-csv/preview',
    { 'enrollment-ids': [id] },
  ],
  ['client create Folha', 'POST /operator/v1/client', { name: 'Folha', 'company-tax-ids': [] }],
  ['client end-former x', 'DELETE /operator/v1/client/x/former-secret'],
  [`member disclose ${id}`, `POST /operator/v1/member/${id}/disclosure`],
  [
    `webhook resend ${id} ${other}`,
    `POST /operator/v1/webhook-event/${id}/redeliver`,
    { 'webhook-endpoint-id': other },
  ],
  ['client rotate x', 'POST /operator/v1/client/x/rotate-secret'],
  ['client revoke x --yes', 'DELETE /operator/v1/client/x'],
  [`entitlement grant x ${cnpj}`, `PUT /operator/v1/client/x/company/${cnpj}`],
  [`entitlement revoke x ${cnpj}`, `DELETE /operator/v1/client/x/company/${cnpj}`],
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
  [`enrollment note ${other} Called`, `POST /operator/v1/enrollment/${other}/note`, { text: 'Called' }],
  [`enrollment assign ${other} x`, `PUT /operator/v1/enrollment/${other}/assignee`, { assignee: 'x' }],
  [`enrollment unassign ${other}`, `PUT /operator/v1/enrollment/${other}/assignee`, { assignee: null }],
  [
    `benefit end ${id} --end-date 2026-11-30 --reason law`,
    `POST /operator/v1/benefit/${id}/end`,
    { 'end-date': '2026-11-30', reason: 'law' },
  ],
  [
    `benefit end ${id} --end-date 2031-01-31 --reason law --yes`,
    `POST /operator/v1/benefit/${id}/end`,
    { 'end-date': '2031-01-31', reason: 'law', confirm: true },
  ],
  [
    `benefit correct ${id} --card-number 77 --end-date 2026-11-30 --reason typo`,
    `POST /operator/v1/benefit/${id}/correction`,
    { 'card-number': '77', 'end-date': '2026-11-30', reason: 'typo' },
  ],
  [
    `member second-card ${id} --benefit-id ${other} --reason lost`,
    `POST /operator/v1/member/${id}/second-card`,
    { 'benefit-id': other, reason: 'lost' },
  ],
  [
    `member contract-transfer ${id} --start-date 2026-12-01 --sub-contract 002 --benefit-id ${other}`,
    `POST /operator/v1/member/${id}/contract-transfer`,
    { 'start-date': '2026-12-01', 'sub-contract': '002', 'benefit-ids': [other] },
  ],
  [`invoice mark a ${id} --status paid`, `PATCH /operator/v1/invoice/a/file/${id}`, { status: 'paid' }],
  ['invoice delete a --yes', 'DELETE /operator/v1/invoice/a'],
  [`invoice detach a ${id} --yes`, `DELETE /operator/v1/invoice/a/file/${id}`],
  [
    ['exclude', 'company', cpf, cnpj, ...leaving, '--reference', 'r'],
    `POST /v1/enrollment/exclusion/${cpf}/company/${cnpj}`,
    { 'exclusion-details': details, reference: 'r' },
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
  [
    'webhook create https://a.example --type request.completed',
    'POST /v1/webhook-endpoint',
    { url: 'https://a.example', 'event-types': ['request.completed'] },
  ],
  [`webhook update ${id} --status disabled`, `PATCH /v1/webhook-endpoint/${id}`, { status: 'disabled' }],
  [`webhook delete ${id}`, `DELETE /v1/webhook-endpoint/${id}`],
  [`webhook rotate ${id}`, `POST /v1/webhook-endpoint/${id}/rotate-secret`],
  ['client rotate-own', 'POST /v1/client/rotate-secret'],
  ['clock advance 3', 'POST /operator/v1/clock', { 'advance-days': 3 }],
  ['clock advance 3 --as partner', 'POST /v1/sandbox/clock', { 'advance-days': 3 }],
  ['clock advance --business-date 2026-12-01', 'POST /operator/v1/clock', { 'business-date': '2026-12-01' }],
  [
    `webhook trigger ${id} --type invoice.paid`,
    `POST /v1/webhook-endpoint/${id}/test`,
    { 'event-type': 'invoice.paid' },
  ],
  [`webhook trigger ${id}`, `POST /v1/webhook-endpoint/${id}/test`, {}],
  [`webhook redeliver ${id}`, `POST /v1/webhook-event/${id}/redeliver`],
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

test.for([...reads, ...writes])('%s', async ([words, line, body]) => {
  const call = await lastCall(words)
  expect({ code: call.code, line: call.line, err: call.err }).toMatchObject({ code: 0, line })
  expect(call.body).toEqual(body)
})

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
  expect(await sent(`onboarding invite ${json}`)).toMatchObject({ method: 'POST', path: '/v1/onboarding-invitation' })
  expect(await sent(`column-profile put ${cnpj} ${json} --as partner`)).toMatchObject({
    path: `/v1/column-profile/${cnpj}`,
  })
  expect(await sent(`contract create ${json}`)).toMatchObject({ method: 'POST', path: '/operator/v1/contract' })
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
  expect(await sent(`layout create ${json}`)).toMatchObject({ method: 'POST', path: '/operator/v1/layout' })
  expect(await sent(`layout put ${id} ${json}`)).toMatchObject({ method: 'PUT', path: `/operator/v1/layout/${id}` })
  expect(await sent(`requirement-rule put ${id} ${json}`)).toMatchObject({
    method: 'PUT',
    path: `/operator/v1/requirement-rule/${id}`,
  })
  expect(await sent(`view put ${id} ${json}`)).toMatchObject({ method: 'PUT', path: `/operator/v1/view/${id}` })
  expect(await sent(`payroll set-profile ${cnpj} ${json}`)).toMatchObject({
    method: 'PUT',
    path: `/operator/v1/company/${cnpj}/payroll-profile`,
  })
  expect(await sent(`payroll export ${json}`)).toMatchObject({ method: 'POST', path: '/operator/v1/payroll-export' })
  for (const noun of ['price-table', 'contribution-rule']) {
    const put = { method: 'PUT', path: `/operator/v1/${noun}/${id}` }
    expect(await sent(`${noun} put ${id} ${json}`)).toMatchObject(put)
  }
  expect(await sent(`contract put ${id} ${json}`)).toMatchObject({
    method: 'PUT',
    path: `/operator/v1/contract/${id}`,
    body: JSON.stringify({ 'company-tax-id': cnpj, members: [] }),
  })
  const channel = { method: 'PUT', path: `/operator/v1/contract/${id}/channel` }
  expect(await sent(`contract put-channel ${id} ${json}`)).toMatchObject(channel)
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

/** The calls of the commands with a file, and of export. */
const otherCalls = [
  'PUT /operator/v1/company/x',
  'PUT /operator/v1/column-profile/x',
  'PUT /v1/column-profile/x',
  'PUT /operator/v1/company/x/payroll-profile',
  'POST /operator/v1/payroll-export',
  'POST /operator/v1/contract',
  'POST /operator/v1/layout',
  'PUT /operator/v1/layout/x',
  'PUT /operator/v1/requirement-rule/x',
  'PUT /operator/v1/view/x',
  'PUT /operator/v1/price-table/x',
  'PUT /operator/v1/contribution-rule/x',
  'PUT /operator/v1/contract/x',
  'PUT /operator/v1/contract/x/channel',
  'POST /v1/enrollment/inclusion',
  'POST /v1/enrollment/exclusion',
  'POST /v1/enrollment/alteration',
  'POST /v1/enrollment/document-upload-url',
  'POST /v1/onboarding-invitation',
  'POST /operator/v1/enrollment/decision',
  'POST /operator/v1/shipment/{shipment-id}/acknowledgement',
  'POST /operator/v1/carrier-file',
  'POST /operator/v1/member/import',
  'PUT /operator/v1/invoice/x',
  'PUT /operator/v1/invoice/x/file/x',
]

test('every operation of both APIs has a command', () => {
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
  // For machines or browsers, or with another method of the same effect.
  const others =
    /^\/($|openapi|healthz|readyz|metrics|\.well-known|v1\/health|v1\/authenticate|operator\/v1\/(session|account)|onboarding\/v1|upload\/)|v1\/table|import\/(template|table)$/
  const calls = [...[...reads, ...writes].map(([, call]) => call.replace(/\?.*/, '')), ...otherCalls]
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
