import { account } from './account.ts'
import { atRisk } from './at-risk.ts'
import { audit } from './audit.ts'
import { carriers } from './carriers.ts'
import { charges } from './charges.ts'
import { claims } from './claims.ts'
import { closings } from './closings.ts'
import { companies } from './companies.ts'
import { continuations } from './continuations.ts'
import { costs } from './costs.ts'
import { deadlines } from './deadlines.ts'
import { drafts } from './drafts.ts'
import { erasure } from './erasure.ts'
import { failedSteps } from './failed-steps.ts'
import { forecasts } from './forecasts.ts'
import { hr } from './hr.ts'
import { hrHome } from './hr-home.ts'
import { imports } from './imports.ts'
import { intake } from './intake.ts'
import { layouts } from './layouts.ts'
import { mails } from './mails.ts'
import { onboarding } from './onboarding.ts'
import { operators } from './operators.ts'
import { overview } from './overview.ts'
import { payroll } from './payroll.ts'
import { people } from './people.ts'
import { personalData } from './personal-data.ts'
import { prices } from './prices.ts'
import { reconciliations } from './reconciliations.ts'
import { request } from './request.ts'
import { requirements } from './requirements.ts'
import { review } from './review.ts'
import { rosters } from './rosters.ts'
import { settings } from './settings.ts'
import { sheets } from './sheets.ts'
import { shipments } from './shipments.ts'
import { tables } from './tables.ts'
import { webhooks } from './webhooks.ts'

/** The texts that are loaded with the pages that show them, in English, by namespace. */
export const later = {
  account,
  atRisk,
  audit,
  carriers,
  charges,
  claims,
  closings,
  companies,
  continuations,
  costs,
  deadlines,
  drafts,
  erasure,
  failedSteps,
  forecasts,
  hr,
  hrHome,
  imports,
  intake,
  layouts,
  mails,
  onboarding,
  operators,
  overview,
  payroll,
  people,
  personalData,
  prices,
  reconciliations,
  request,
  requirements,
  review,
  rosters,
  settings,
  sheets,
  shipments,
  tables,
  webhooks,
} as const
