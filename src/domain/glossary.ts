/*
 * The fields and parameters of the API: the one table behind the glossaries of the documentation, the Portuguese headers of an import and the
 * field names in Portuguese messages. A test holds that no field of openapi.json is missing.
 */
import { AUDIT_TERMS } from './glossary-audit.ts'
import { CREDENTIAL_TERMS } from './glossary-credentials.ts'
import { INVOICE_TERMS } from './glossary-invoices.ts'
import { JOB_TERMS } from './glossary-jobs.ts'
import { MOVEMENT_TERMS } from './glossary-movements.ts'
import { PEOPLE_TERMS } from './glossary-people.ts'
import { SERVICE_TERMS } from './glossary-service.ts'
import { STATISTICS_TERMS } from './glossary-statistics.ts'
import { SESSION_TERMS } from './glossary-sessions.ts'
import { WEBHOOK_TERMS } from './glossary-webhooks.ts'

export const GLOSSARY = {
  ...PEOPLE_TERMS,
  ...MOVEMENT_TERMS,
  ...INVOICE_TERMS,
  ...SERVICE_TERMS,
  ...CREDENTIAL_TERMS,
  ...STATISTICS_TERMS,
  ...SESSION_TERMS,
  ...WEBHOOK_TERMS,
  ...AUDIT_TERMS,
  ...JOB_TERMS,
} as const

export type GlossaryField = keyof typeof GLOSSARY

/** The Portuguese term of a field; undefined for a name that is none. */
export function termOf(name: string): string | undefined {
  return Object.hasOwn(GLOSSARY, name) ? GLOSSARY[name as GlossaryField].term : undefined
}
