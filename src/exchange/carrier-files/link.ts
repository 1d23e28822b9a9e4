import { storeCertificates } from '#coverage/benefits/write.ts'
import { requireOpenMonth } from '#money/months/open-month.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import type { Sql } from '#platform/core/database.ts'
import { write } from '#platform/core/write.ts'
import { lastDayOf } from '#kernel/calendar.ts'
import type { Context } from '#platform/http/context.ts'
import { correctWithin } from '#movements/correct-benefit/correct.ts'
import { lockFamilies } from '#movements/transition/families.ts'
import { findCandidate, linkLine, lockLine } from './line-queries.ts'
import { requireFile } from './queries.ts'
import { mayWriteFiles } from './upload.ts'

/**
 * Links a line to a benefit of the contract by hand. The next files find the benefit by the line's certificate, and by its card where the
 * benefit had none. @param benefitId null: the line names no member.
 * @returns the company and the file.
 * @throws ApiError 404, 409 while the file is read, 400 for a benefit of another contract.
 */
export async function linkCarrierLine(
  context: Context,
  actor: ClientActor,
  fileId: string,
  line: number,
  benefitId: string | null,
): Promise<{ readonly companyId: string }> {
  const file = await requireFile(context.database, fileId)
  if (file.status !== 'read') throw new ApiError('carrier-file-status', { status: file.status })
  const { companyId } = file
  const lock = (sql: Sql) => lockFamilies(sql, companyId, benefitId === null ? [] : [benefitId])
  await write(context, actor, { may: mayWriteFiles, lock }, async (tx) => {
    const found = await lockLine(tx, companyId, fileId, line)
    if (found === null || found.isRefused) throw new ApiError('carrier-line-not-found')
    if (found.benefitId === benefitId && (benefitId === null || found.matchedBy === 'hand')) return
    await requireOpenMonth(tx, companyId, file.referenceMonth)
    await linkLine(tx, companyId, fileId, line, benefitId)
    const target = `${fileId} line ${line}`
    if (benefitId === null) return tx.audit({ action: 'carrier-line.unlinked', target, companyId })
    const candidate = await findCandidate(tx, file, lastDayOf(file.referenceMonth), benefitId)
    if (candidate === null) throw invalidBody([{ field: 'benefit-id', code: 'unknown' }])
    tx.audit({ action: 'carrier-line.linked', target, companyId })
    await storeCertificates(tx, companyId, fileId, line)
    if (found.cardNumber !== null && candidate.cardNumber === null && candidate.isActive) {
      const reason = 'Linked by hand to the line of a carrier’s file'
      await correctWithin(tx, context.today(), companyId, benefitId, { 'card-number': found.cardNumber, reason })
    }
  })
  return { companyId }
}
