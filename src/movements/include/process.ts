import type { Tx } from '#platform/core/write.ts'
import { deleteMembersWithoutBenefit } from '#coverage/members/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Applied } from '../batch/process.ts'
import { EarlierRequestError } from '../postponed.ts'
import { type Chunk, readPendingItems } from '../batch/process-queries.ts'
import {
  insertChunkBenefits,
  insertChunkEnrollments,
  insertChunkMembers,
  lockMembers,
  lockPrimaryBenefits,
  readFailures,
} from './process-queries.ts'

/** Inserts the members, benefits and enrollments of a chunk of inclusions. @throws EarlierRequestError. */
export async function applyInclusions(context: Context, sql: Tx, at: Date, chunk: Chunk): Promise<Applied> {
  const { companyId, primaries, dependents } = chunk
  if (dependents > 0) await lockPrimaryBenefits(sql, chunk)
  await lockMembers(sql, chunk)
  const newMemberIds = (await insertChunkMembers(sql, context.memberKey, at, chunk)).map((member) => member.id)
  if (primaries > 0) await insertChunkBenefits(sql, at, chunk, 'primary')
  if (dependents > 0) await insertChunkBenefits(sql, at, chunk, 'dependent')
  const enrollmentIds = (await insertChunkEnrollments(sql, at, chunk, newMemberIds)).map(({ id }) => id)
  const missing = await readPendingItems(sql, chunk)
  const made = { enrollmentIds, missing }
  if (enrollmentIds.length === primaries + dependents) return { ...made, failures: [] }
  const failures = (await readFailures(sql, chunk)).map(({ offenses, ...part }) => {
    if (offenses === null) throw new EarlierRequestError()
    return { ...part, offenses }
  })
  await deleteMembersWithoutBenefit(sql, companyId, newMemberIds)
  return { ...made, failures }
}
