import { account, clients, people } from './access.ts'
import { employee, operation, uploads } from './apps.ts'
import { type Chapter, type Entry, operations, type Role } from './call.ts'
import { files, shipments } from './exchange.ts'
import { claims, invoices, payroll, prices } from './money.ts'
import { continuations, desk } from './movements.ts'
import { partnerCalls } from './partner.ts'
import { privacy } from './privacy.ts'
import { companies, rules } from './registry.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a chapter prepares what its own entries need
type AnyChapter = Chapter<any>

/** The chapters by name; the clock is moved last. */
export const book: Readonly<Record<string, AnyChapter>> = {
  partners: partnerCalls,
  uploads,
  employee,
  companies,
  rules,
  clients,
  people,
  account,
  invoices,
  prices,
  payroll,
  claims,
  shipments,
  files,
  desk,
  continuations,
  privacy,
  operation,
}

const entries = Object.values(book).flatMap((chapter) => Object.entries<Entry<never>>(chapter.entries))

/** The roles that may make each call of operators, beside `admin`. */
export const mayCall: Readonly<Record<string, readonly Role[]>> = Object.fromEntries(
  entries.flatMap(([id, { roles }]) => (roles === undefined ? [] : [[id, roles]])),
)

/** They store nothing but the count of failed attempts, and who has a movement open for a minute; the clock of the demo is nowhere else. */
const storeNothing = [
  'putPresence',
  'deletePresence',
  'authenticate',
  'readPersonLink',
  'readPasskeyOptions',
  'readNewPasskeyOptions',
  'previewLayout',
  'readTable',
  'readTableOfCompany',
  'readImportTable',
  'advanceDemoClock',
  'simulateRequirements',
  'calculateContinuation',
  'calculateAnyContinuation',
  'calculateOnboardingPrice',
]
/** Those that read a file whose download is audited. */
const audited = ['readCompanyPayrollExportFile', 'exportRoster']
/** The operations that write. */
export const writing = operations
  .filter(({ id, method }) =>
    method === 'GET' || method === 'HEAD' ? audited.includes(id) : !storeNothing.includes(id),
  )
  .map(({ id }) => id)
  .toSorted()
