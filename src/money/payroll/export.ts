import { v7 as uuidv7 } from 'uuid'
import { markMonthExported } from '../months/queries.ts'
import { lockCompany } from '#registry/contracts/rows.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { findLayout, lockLayout } from '#registry/layouts/queries.ts'
import type { RenderedFile } from '#registry/layouts/types.ts'
import { compareLines, readPayrollLines, renderPayroll } from './lines.ts'
import {
  deleteProfile,
  insertExport,
  putProfile,
  readEmployees,
  readExport,
  readExportLines,
  readProfile,
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
    await putProfile(tx, companyId, body, tx.at())
    tx.audit({ action: 'payroll-profile.replaced', target: taxId, companyId })
    return required(await readProfile(tx, companyId), 'profile')
  })
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
 * Exports the deductions of a closed month: of a second export the difference only.
 * @throws ApiError 404; 409 where the month is open, employees have problems and are not skipped, or nothing is left.
 */
export async function exportPayroll(
  context: Context,
  actor: ClientActor,
  body: PayrollExportInput,
): Promise<PayrollExportData> {
  const { 'company-tax-id': companyTaxId, 'reference-month': month } = body
  return write(context, actor, { may: mayWritePayroll }, async (tx) => {
    const companyId = await lockKnownCompany(tx, companyTaxId)
    await markMonthExported(tx, actor, companyId, month)
    const profile = await readProfile(tx, companyId)
    if (profile !== null) await lockLayout(tx, profile['layout-id'], 'share')
    const skip = new Set(body.skip)
    const { layout, lines, problems } = await readPayrollLines(tx, { companyId, companyTaxId, month }, skip)
    if (layout === null) throw new ApiError('payroll-profile-not-found')
    if (problems.length > 0) throw new ApiError('payroll-incomplete', { employees: problems.length })
    if (lines.length === 0) throw new ApiError('nothing-to-export')
    const id = uuidv7()
    const created = {
      companyId,
      id,
      month,
      layoutId: layout['layout-id'],
      layoutVersion: layout.version,
      createdBy: actor.clientId,
    }
    const written = lines.map(({ memberId, kind, event, amount }) => ({ memberId, kind, amount, event: event ?? '' }))
    await insertExport(tx, created, written, tx.at())
    tx.audit({ action: 'payroll-export.created', target: id, companyId })
    return required(await readExport(tx, id), 'payroll export').item
  })
}

/** The file of an export; employees have the numbers and names of now. The download is audited. @throws ApiError 404. */
export async function readExportFile(
  context: Context,
  actor: ClientActor,
  id: string,
): Promise<{ readonly stored: StoredExport; readonly file: RenderedFile }> {
  return write(context, actor, { may: mayWritePayroll }, async (tx) => {
    const stored = await readExport(tx, id)
    if (stored === null) throw new ApiError('payroll-export-not-found')
    const { companyId, item } = stored
    const lines = await readExportLines(tx, companyId, id)
    const employees = await readEmployees(
      tx,
      companyId,
      lines.map(({ memberId }) => memberId),
    )
    const layout = required(await findLayout(tx, item['layout-id'], item['layout-version']), 'layout')
    const payroll = { companyId, companyTaxId: item['company-tax-id'], month: item['reference-month'] }
    const known = lines
      .map((line) => ({ ...line, employee: required(employees.get(line.memberId), 'employee') }))
      .toSorted(compareLines)
    const file = await renderPayroll(layout, payroll, known)
    tx.audit({ action: 'payroll-export.downloaded', target: id, companyId })
    return { stored, file }
  })
}
