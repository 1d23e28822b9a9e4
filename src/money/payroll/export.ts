import { v7 as uuidv7 } from 'uuid'
import { markMonthExported } from '../months/queries.ts'
import { lockCompany } from '#registry/contracts/rows.ts'
import type { Destination } from '#kernel/broker-enums.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { findLayout, type Layout, lockLayout } from '#registry/layouts/queries.ts'
import type { RenderedFile } from '#registry/layouts/types.ts'
import { fileRows, type PayrollMonth, renderPayroll } from './file.ts'
import { readLeaverLines } from './leavers.ts'
import { compareLines, eventOf, layoutProblems, readPayrollLines } from './lines.ts'
import {
  deleteProfile,
  findRun,
  insertExport,
  lockEmployees,
  putProfile,
  readEmployees,
  readExport,
  readExportLines,
  readLastPeriod,
  readProfile,
  type ExportLine,
  type StoredExport,
  type StoredProfile,
} from './queries.ts'
import type { PayrollExportData, PayrollExportInput, PayrollProfileInput } from './schema.ts'

/** The roles that write what payroll takes, beside `admin`. */
export const mayWritePayroll = ['finance'] as const

/** Replaces how deductions of a company are written. @throws ApiError 404, 400 for an unknown layout or one of another direction. */
export async function replaceProfile(
  context: Context,
  actor: ClientActor,
  taxId: string,
  body: PayrollProfileInput,
): Promise<StoredProfile> {
  return write(context, actor, { may: mayWritePayroll }, async (tx) => {
    const companyId = await lockKnownCompany(tx, taxId)
    const layout = await findLayout(tx, body['layout-id'])
    if (layout === null) throw invalidBody([{ field: 'layout-id', code: 'unknown' }])
    if (layout.direction !== 'payroll') throw invalidBody([{ field: 'layout-id', code: 'not-applicable' }])
    await requireBasis(tx, companyId, body)
    await putProfile(tx, companyId, body, tx.at())
    tx.audit({ action: 'payroll-profile.replaced', target: taxId, companyId })
    return required(await readProfile(tx, companyId), 'profile')
  })
}

/**
 * What was exported in one way is not deducted again in another: an export by effective date keeps the basis and its first month, which is after
 * the months that were exported by closed month.
 * @throws ApiError 400.
 */
async function requireBasis(tx: Tx, companyId: string, body: PayrollProfileInput): Promise<void> {
  const { basis = 'closed-month', 'first-month': firstMonth = null } = body
  if ((basis === 'effective-date') !== (firstMonth !== null)) {
    throw invalidBody([{ field: 'first-month', code: firstMonth === null ? 'missing' : 'not-applicable' }])
  }
  const former = await readProfile(tx, companyId)
  const last = await readLastPeriod(tx, companyId)
  if (last === null) return
  if (former?.basis === 'effective-date') {
    if (last < (former['first-month'] ?? last) || former['first-month'] === firstMonth) return
    const field = basis === 'effective-date' ? 'first-month' : 'basis'
    throw invalidBody([{ field, code: 'invalid', message: { key: 'already-exported' } }])
  }
  if (firstMonth !== null && firstMonth <= last) {
    throw invalidBody([{ field: 'first-month', code: 'invalid', message: { key: 'already-exported' } }])
  }
}

/** @throws ApiError 404 where the company has no profile. */
export async function removeProfile(context: Context, actor: ClientActor, taxId: string): Promise<void> {
  await write(context, actor, { may: mayWritePayroll }, async (tx) => {
    const companyId = await lockKnownCompany(tx, taxId)
    if (!(await deleteProfile(tx, companyId))) throw new ApiError('payroll-profile-not-found')
    tx.audit({ action: 'payroll-profile.deleted', target: taxId, companyId })
  })
}

async function lockKnownCompany(tx: Tx, taxId: string): Promise<string> {
  const companyId = await lockCompany(tx, taxId)
  if (companyId === null) throw new ApiError('company-not-found')
  return companyId
}

/**
 * Exports what is left to deduct in a period: by closed month the deductions of the month, by effective date those of every month of cover through it,
 * or what leavers still owe. A run that was exported before is answered with the same export.
 * @throws ApiError 404; 409 where the month is open, employees have problems and are not skipped, or nothing is left; 400 for who is no leaver.
 */
export async function exportPayroll(
  context: Context,
  actor: ClientActor,
  body: PayrollExportInput,
): Promise<PayrollExportData> {
  const { 'company-tax-id': companyTaxId, 'reference-month': month, 'run-id': runId = null, kind = 'period' } = body
  if ((kind === 'leavers') !== (body.leavers !== undefined)) {
    throw invalidBody([{ field: 'leavers', code: kind === 'leavers' ? 'missing' : 'not-applicable' }])
  }
  return write(context, actor, { may: mayWritePayroll }, async (tx) => {
    const companyId = await lockKnownCompany(tx, companyTaxId)
    const former = runId === null ? null : await findRun(tx, companyId, runId)
    if (former !== null) return former
    const profile = await readProfile(tx, companyId)
    const isAhead = profile?.basis === 'effective-date'
    if (kind === 'period' && !isAhead) await markMonthExported(tx, actor, companyId, month)
    if (profile === null) throw new ApiError('payroll-profile-not-found')
    if (isAhead && month < (profile['first-month'] ?? month)) {
      throw invalidBody([{ field: 'reference-month', code: 'invalid', message: { key: 'before-first-month' } }])
    }
    await lockLayout(tx, profile['layout-id'], 'share')
    const payroll = { companyId, companyTaxId, month }
    const { layout, lines, problems } =
      body.leavers === undefined
        ? await periodLines(tx, payroll, body.skip ?? [])
        : await leaverLines(tx, payroll, body.leavers)
    if (problems > 0) throw new ApiError('payroll-incomplete', { employees: problems })
    const employees = await lockEmployees(
      tx,
      companyId,
      lines.map(({ memberId }) => memberId),
    )
    const exported = lines.filter(({ memberId }) => employees.has(memberId))
    if (exported.length === 0) throw new ApiError('nothing-to-export')
    const id = uuidv7()
    const created = {
      companyId,
      id,
      month,
      runId,
      kind,
      layoutId: layout['layout-id'],
      layoutVersion: layout.version,
      refundEvent: profile.events.refund,
      createdBy: actor.clientId,
    }
    await insertExport(tx, created, exported, tx.at())
    tx.audit({ action: 'payroll-export.created', target: id, companyId })
    return required(await readExport(tx, id), 'payroll export').item
  })
}

interface NewLines {
  readonly layout: Layout
  readonly lines: readonly ExportLine[]
  /** How many employees cannot be exported. */
  readonly problems: number
}

async function periodLines(tx: Tx, payroll: PayrollMonth, skip: readonly string[]): Promise<NewLines> {
  const { layout, lines, problems } = await readPayrollLines(tx, payroll, new Set(skip))
  return {
    layout: required(layout, 'layout'),
    problems: problems.length,
    lines: lines.map((line) => ({
      ...keyOf(line),
      event: line.event ?? '',
      amount: line.open,
      people: line.openPeople,
    })),
  }
}

async function leaverLines(
  tx: Tx,
  payroll: PayrollMonth,
  leavers: NonNullable<PayrollExportInput['leavers']>,
): Promise<NewLines> {
  const { profile, lines, problems } = await readLeaverLines(tx, payroll.companyId, payroll.month, leavers)
  const layout = required(await findLayout(tx, profile['layout-id']), 'layout')
  const listed = lines.map((line) => ({ ...line, event: eventOf(profile, line) }))
  const refused = await layoutProblems(layout, payroll, listed)
  return {
    layout,
    problems: problems.size + refused.length,
    lines: listed.map((line) => ({ ...keyOf(line), event: line.event, amount: line.amount, people: line.openPeople })),
  }
}

const keyOf = ({
  memberId,
  kind,
  productType,
  originMonth,
  destination,
  due,
}: Omit<ExportLine, 'event' | 'amount' | 'people'>) => ({
  memberId,
  kind,
  productType,
  originMonth,
  destination,
  due,
})

/** The layouts of the list of what the company bills. */
const billLayouts = { csv: 'payroll-bill-csv', xlsx: 'payroll-bill-xlsx' } as const

interface FileOf {
  readonly stored: StoredExport
  readonly destination: Destination
  readonly format: keyof typeof billLayouts
}

/** The file of an export; employees have the numbers and names of now. The transaction audits the download. */
export async function exportFile(tx: Tx, { stored, destination, format }: FileOf): Promise<RenderedFile> {
  const { companyId, item, refundEvent } = stored
  const id = item['payroll-export-id']
  const lines = (await readExportLines(tx, companyId, id)).filter((line) => line.destination === destination)
  const employees = await readEmployees(
    tx,
    companyId,
    lines.map(({ memberId }) => memberId),
  )
  const isBill = destination === 'bill'
  const layout = isBill
    ? await findLayout(tx, billLayouts[format])
    : await findLayout(tx, item['layout-id'], item['layout-version'])
  const { definition } = required(layout, 'layout')
  const payroll = { companyId, companyTaxId: item['company-tax-id'], month: item['reference-month'] }
  const known = lines
    .map((line) => ({ ...line, employee: required(employees.get(line.memberId), 'employee') }))
    .toSorted(compareLines)
  tx.audit({ action: 'payroll-export.downloaded', target: id, companyId })
  return renderPayroll({ definition }, payroll, fileRows(definition, known, isBill ? null : refundEvent))
}

/** The file of an export for the broker. @throws ApiError 404. */
export async function readExportFile(
  context: Context,
  actor: ClientActor,
  id: string,
  query: Pick<FileOf, 'destination' | 'format'>,
): Promise<{ readonly stored: StoredExport; readonly file: RenderedFile }> {
  return write(context, actor, { may: mayWritePayroll }, async (tx) => {
    const stored = await readExport(tx, id)
    if (stored === null) throw new ApiError('payroll-export-not-found')
    return { stored, file: await exportFile(tx, { ...query, stored }) }
  })
}
