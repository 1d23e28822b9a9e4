import type { Page } from 'playwright-core'
import type { Link } from '../world/onboarding.ts'
import { type Broker, ruleId } from './broker.ts'

/** Every page that operators see behind the sign-in, by the name of its picture. */
export function pagesOf(broker: Broker): Record<string, string> {
  const [company] = broker.companies
  return {
    queue: '/queue',
    movement: `/queue/${broker.enrollmentId}`,
    'movement-new': '/movements/new',
    'movement-inclusion': `/movements/new?kind=inclusion&company=${company?.taxId}`,
    'movement-exclusion': `/movements/new?kind=exclusion&person=${broker.memberId}`,
    'movement-alteration': `/movements/new?kind=alteration&person=${broker.memberId}`,
    'movement-sheet': '/movements/new/spreadsheet',
    'movement-sheet-company': `/movements/new/spreadsheet?company=${company?.taxId}`,
    'movement-drafts': '/drafts',
    'movement-draft': `/drafts/${broker.draftId}`,
    rosters: '/rosters',
    'roster-new': `/rosters/new?company=${company?.taxId}&doubts=too-few-people`,
    roster: `/rosters/${broker.rosterSyncId}?class=inclusion`,
    'roster-held': `/rosters/${broker.rosterSyncId}?class=held`,
    'decision-jobs': '/decision-jobs',
    'decision-job': `/decision-jobs/${broker.jobId}`,
    overview: '/overview',
    requests: '/requests',
    request: `/requests/${broker.requestId}`,
    members: `/members`,
    member: `/members/${broker.memberId}`,
    companies: '/companies',
    'company-new': '/companies/new',
    company: `/companies/${company?.taxId}`,
    'company-edit': `/companies/${company?.taxId}/edit`,
    carriers: '/carriers',
    'contract-new': '/carriers/contracts/new',
    contract: `/carriers/contracts/${broker.contractId}`,
    'contract-form': `/carriers/contracts/${broker.contractId}/edit`,
    'contract-channel': `/carriers/contracts/${broker.contractId}/channel`,
    'prices-new': `/carriers/contracts/${broker.contractId}/prices/new`,
    prices: `/carriers/contracts/${broker.contractId}/prices/${broker.priceTableId}`,
    'contribution-new': `/carriers/contracts/${broker.contractId}/contributions/new`,
    contribution: `/carriers/contracts/${broker.contractId}/contributions/${broker.contributionRuleId}`,
    calendar: '/carriers/calendar',
    shipments: '/carriers/shipments',
    shipment: `/carriers/shipments/${broker.shipmentId}`,
    'work-sheet': `/carriers/shipments/${broker.shipmentId}/work-sheet`,
    layouts: '/carriers/layouts',
    'layout-new': '/carriers/layouts/new?copy=generic-csv',
    layout: '/carriers/layouts/generic-csv',
    'layout-edit': `/carriers/layouts/${broker.layoutId}/edit`,
    deadlines: '/deadlines',
    continuations: '/continuations',
    continuation: `/continuations/${broker.continuationId}`,
    drafts: '/deadlines?view=drafts',
    requirements: '/requirements',
    'requirement-rule-new': '/requirements/new',
    'requirement-rule': `/requirements/${ruleId}`,
    reconciliations: '/reconciliations',
    costs: '/costs',
    reconciliation: `/reconciliations/${broker.carrierFileId}`,
    trend: `/reconciliations/trend?company-tax-id=${company?.taxId}`,
    'carrier-lines': `/reconciliations/${broker.carrierFileId}?view=lines`,
    charges: `/charges/${broker.contractId}/2026-11`,
    charge: `/charges/${broker.contractId}/2026-11/why?line-number=1`,
    'charge-expected': `/charges/${broker.contractId}/2026-12/why?member-id=${broker.memberId}`,
    forecasts: `/forecasts?company-tax-id=${company?.taxId}`,
    forecast: `/forecasts/${broker.contractId}`,
    claims: '/claims',
    claim: `/claims/${broker.claimId}`,
    closings: '/closings',
    'closing-month': `/closings/${company?.taxId}/2026-11`,
    payroll: `/payroll?company-tax-id=${company?.taxId}`,
    'payroll-month': `/payroll/${company?.taxId}/2026-10`,
    leavers: `/payroll/${company?.taxId}/leavers?member-id=${broker.leaverId}`,
    'payroll-profile': `/payroll/${company?.taxId}/profile`,
    invoices: '/invoices',
    invoice: `/invoices/${encodeURIComponent(broker.invoiceId)}`,
    'invoice-lines': `/invoices/${encodeURIComponent(broker.invoiceId)}?view=lines`,
    imports: '/imports',
    import: `/imports/${broker.importId}`,
    clients: '/clients',
    client: `/clients/${broker.partner.clientId}`,
    operators: '/operators',
    people: '/people',
    settings: '/settings',
    'settings-reasons': '/settings?view=reasons',
    'settings-retention': '/settings?view=retention',
    'personal-data': '/personal-data',
    'failed-steps': '/failed-steps',
    mails: '/mails',
    'subject-request': `/personal-data/${broker.subjectRequestId}`,
    'legal-holds': '/personal-data?view=holds',
    'member-disclosures': `/members/${broker.memberId}/disclosures`,
    webhooks: '/webhooks',
    'webhook-endpoint': `/webhooks/${broker.endpointId}`,
    audit: '/audit',
    account: '/account',
  }
}

/** Every page that the people of companies see behind the sign-in. */
export function hrPagesOf(broker: Broker): Record<string, string> {
  const person = `/hr/people/${broker.memberId}`
  return {
    'hr-home': '/hr',
    'hr-movements': '/hr/movements?open=true',
    'hr-people': '/hr/people',
    'hr-person': person,
    'hr-final-balance': `/hr/people/${broker.leaverId}/final-balance`,
    'hr-exclude': `${person}/exclude`,
    'hr-alter': `${person}/correct`,
    'hr-plan': `${person}/plan`,
    'hr-include': '/hr/include',
    'hr-dependent': `/hr/include?primary=${broker.memberId}`,
    'hr-pending': '/hr/pending',
    'hr-movement': `/hr/pending/${broker.enrollmentId}`,
    'hr-spreadsheets': '/hr/spreadsheets',
    'hr-drafts': '/hr/drafts',
    'hr-draft': `/hr/drafts/${broker.draftId}`,
    'hr-rosters': '/hr/rosters',
    'hr-roster-new': '/hr/rosters/new?doubts=too-few-people',
    'hr-roster': `/hr/rosters/${broker.rosterSyncId}?class=inclusion`,
    'hr-roster-held': `/hr/rosters/${broker.rosterSyncId}?class=held`,
    'hr-requests': '/hr/requests',
    'hr-request': `/hr/requests/${broker.requestId}`,
    'hr-invoices': '/hr/invoices',
    'hr-invoice': `/hr/invoices/${encodeURIComponent(broker.invoiceId)}`,
    'hr-charges': '/hr/charges/2026-11',
    'hr-charge': `/hr/charges/2026-12/why?member-id=${broker.memberId}`,
    'hr-payroll': '/hr/payroll',
    'hr-payroll-month': '/hr/payroll/2026-10',
    'hr-forecast': '/hr/forecast',
    'hr-discrepancies': '/hr/discrepancies',
    'hr-trend': '/hr/discrepancies/trend',
    'hr-onboarding': '/hr/onboarding',
    'hr-invitation': `/hr/onboarding/${broker.invitationId}`,
    'hr-account': '/account',
  }
}

/** The page of who is not signed in; that of a link for a password is in `invitations.test.ts`. */
export const publicPages = { 'sign-in': '/sign-in' }

/** Opens the form of an onboarding link, in English where asked. */
export async function openOnboarding(page: Page, url: string, { token, body }: Link, isEnglish = false): Promise<void> {
  await page.goto(`${url}/onboarding#${token}`)
  const language = page.locator(`header button[lang="${isEnglish ? 'en' : 'pt-BR'}"]`)
  await page.getByRole('textbox').first().waitFor()
  if (await language.isVisible()) await language.click()
  await page.getByRole('textbox').first().fill(body['tax-id'].slice(-5))
  await page.locator('input[type=date]').fill(body['date-of-birth'])
  await page.keyboard.press('Enter')
  await page.getByRole('status').waitFor()
  await page.waitForLoadState('networkidle')
}
