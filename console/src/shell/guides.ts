import type { Area } from './areas.ts'

/** The guide of each area, below the guides of a language; both languages have it. */
const guides: Readonly<Partial<Record<Area['name'], string>>> = {
  hrOnboarding: 'invite-employees-to-fill-in-their-data',
  hrPending: 'answer-a-pending-movement',
  hrRosters: 'keep-a-roster-in-step',
  hrPayroll: 'give-payroll-its-figures',
  hrForecast: 'what-will-the-next-invoice-be',
  hrDiscrepancies: 'check-an-invoice',
  drafts: 'approve-what-a-company-asks-for',
  rosters: 'keep-a-roster-in-step',
  newMovement: 'request-movements-for-a-company',
  requests: 'request-movements-for-a-company',
  deadlines: 'not-miss-a-deadline',
  continuations: 'keep-the-plan-after-a-dismissal',
  invoices: 'check-an-invoice',
  reconciliations: 'reconcile-a-carriers-roster',
  claims: 'check-an-invoice',
  closings: 'check-an-invoice',
  payroll: 'give-payroll-its-figures',
  forecasts: 'what-will-the-next-invoice-be',
  costs: 'why-is-this-charged',
  companies: 'set-up-a-contract',
  carriers: 'set-up-a-contract',
  requirements: 'describe-what-a-carrier-asks',
  clients: 'authenticate',
  webhooks: 'receive-webhooks',
  personalData: 'answer-an-access-request',
}

/** Areas whose word is explained beside the title. */
export const hints = ['continuations', 'closings', 'carriers'] as const satisfies Area['name'][]

/** The address of the guide of an area. Areas without one of their own have that of the console, or of the HR of companies. */
export function guideOf({ name, group }: Pick<Area, 'name' | 'group'>, language: string): string {
  const other = group === 'company' ? 'work-as-the-hr-of-a-company' : 'use-the-console'
  return `/docs/guides/${language === 'pt-BR' ? 'pt-BR/' : ''}how-to/${guides[name] ?? other}`
}
