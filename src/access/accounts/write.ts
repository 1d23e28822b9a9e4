import { v7 as uuidv7 } from 'uuid'
import { companyIdsOf, readTaxIds } from '../clients/companies.ts'
import { grantCompanies, isAnotherAdminActive, lockAdmins, revokeCompany } from '../clients/queries.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { cancelLinkMails } from '#platform/core/mails.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import type { PersonRole, Role } from '#kernel/enums.ts'
import { email as emailType } from '#kernel/field-types.ts'
import type { Context } from '#platform/http/context.ts'
import { deleteSessionsOfOperator } from '../sessions/queries.ts'
import { makeLink, type NewLink } from './links.ts'
import { insertPerson, lockPerson, type StoredPerson, updateBlocked, updatePerson, updateSeesMoney } from './queries.ts'
import type { NewPerson, PersonChange } from './schema.ts'

/** Creates a person, with the link of the invitation. @param origin of the console. */
export async function createPerson(
  context: Context,
  actor: ClientActor,
  person: NewPerson,
  origin: string,
): Promise<NewLink> {
  const { role, 'company-tax-ids': taxIds, 'see-money': seesMoney = false } = person
  const email = emailType.parse(person.email)?.toLowerCase() ?? ''
  const details: Detail[] = email === '' ? [{ field: 'email', code: 'invalid' }] : []
  details.push(...companyErrors(role, person))
  if (role === 'company-hr' && taxIds === undefined) details.push({ field: 'company-tax-ids', code: 'missing' })
  if (details.length > 0) throw invalidBody(details)
  const companies = readTaxIds(taxIds ?? [])
  const id = uuidv7()
  return write(context, actor, { may: [] }, async (tx) => {
    const row = { id, name: person.name.trim(), email, ...clientOf(role) }
    if (!(await insertPerson(tx, row))) throw new ApiError('email-in-use')
    const granted = await grantCompanies(tx, id, await companyIdsOf(tx, companies), { seesMoney })
    tx.audit([
      { action: 'person.created', target: id, companyId: null },
      ...granted.map((companyId) => ({ action: 'entitlement.granted' as const, target: id, companyId })),
    ])
    return makeLink({ ...context, origin }, tx, id, 'invitation')
  })
}

/** What the client of a person with the role is. */
function clientOf(role: PersonRole): { api: 'operator' | 'partner'; role: Role | null } {
  return role === 'company-hr' ? { api: 'partner', role: null } : { api: 'operator', role }
}

function companyErrors(role: PersonRole, body: Partial<NewPerson>): Detail[] {
  if (role === 'company-hr') return []
  const fields = (['company-tax-ids', 'see-money'] as const).filter((field) => body[field] !== undefined)
  return fields.map((field) => ({ field, code: 'not-applicable' }))
}

/** Changes a person. */
export async function changePerson(
  context: Context,
  actor: ClientActor,
  id: string,
  change: PersonChange,
): Promise<void> {
  const taxIds = change['company-tax-ids'] === undefined ? null : readTaxIds(change['company-tax-ids'])
  const lock = (sql: Sql) => lockFound(sql, id)
  await write(context, actor, { may: [], lock }, async (tx, person) => {
    const role = change.role ?? person.role
    if (clientOf(role).api !== person.api) throw invalidBody([{ field: 'role', code: 'not-changeable' }])
    const details = companyErrors(role, change)
    if (details.length > 0) throw invalidBody(details)
    if (role !== 'admin') await keepAnAdmin(tx, id, person)
    const name = change.name?.trim() ?? person.name
    await updatePerson(tx, id, name, clientOf(role).role)
    const row = (action: AuditAction) => ({ action, target: id, companyId: null })
    if (name !== person.name) tx.audit(row('person.updated'))
    if (role !== person.role && role !== 'company-hr') {
      tx.audit([row('operator.role-changed'), row(`operator.became-${role}`)])
    }
    if (person.api === 'partner') await changeCompanies(tx, id, person, taxIds, change['see-money'])
  })
}

async function changeCompanies(
  tx: Tx,
  id: string,
  person: StoredPerson,
  taxIds: string[] | null,
  seesMoney = person.seesMoney,
): Promise<void> {
  if (taxIds !== null) {
    const companyIds = await companyIdsOf(tx, taxIds)
    const ended = person.companyIds.filter((companyId) => !companyIds.includes(companyId))
    for (const companyId of ended) await revokeCompany(tx, id, companyId)
    const granted = await grantCompanies(tx, id, companyIds, { seesMoney })
    tx.audit([
      ...ended.map((companyId) => ({ action: 'entitlement.revoked' as const, target: id, companyId })),
      ...granted.map((companyId) => ({ action: 'entitlement.granted' as const, target: id, companyId })),
    ])
  }
  if (seesMoney === person.seesMoney) return
  await updateSeesMoney(tx, id, seesMoney)
  tx.audit({ action: seesMoney ? 'person.money-shown' : 'person.money-hidden', target: id, companyId: null })
}

/** Blocks a person at once: its sessions end. */
export async function blockPerson(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may: [], lock: (sql) => lockFound(sql, id) }, async (tx, person) => {
    if (!person.isBlocked) {
      await keepAnAdmin(tx, id, person)
      tx.audit({ action: 'person.blocked', target: id, companyId: null })
      await deleteSessionsOfOperator(tx, id)
      await updateBlocked(tx, id, tx.at())
      await cancelLinkMails(tx, id)
    }
  })
}

/** Lets a blocked person sign in again. */
export async function unblockPerson(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may: [], lock: (sql) => lockFound(sql, id) }, async (tx, person) => {
    if (person.isBlocked) {
      await updateBlocked(tx, id, null)
      tx.audit({ action: 'person.unblocked', target: id, companyId: null })
    }
  })
}

/** Makes a link with which the person sets a password: an invitation again, or for one who forgot it. */
export async function linkPerson(context: Context, actor: ClientActor, id: string, origin: string): Promise<NewLink> {
  return write(context, actor, { may: [], lock: (sql) => lockFound(sql, id) }, async (tx, person) => {
    if (person.isBlocked) throw new ApiError('person-blocked')
    return makeLink({ ...context, origin }, tx, id, person.hasPassword ? 'password-link' : 'invitation')
  })
}

/** The roles are locked: two admins cannot block or demote each other at the same time. @throws ApiError 404 for an unknown person. */
async function lockFound(sql: Sql, id: string): Promise<StoredPerson> {
  await lockAdmins(sql)
  const person = await lockPerson(sql, id)
  if (person === null) throw new ApiError('person-not-found')
  return person
}

/** @throws ApiError 409 when no admin would be left without this person. */
async function keepAnAdmin(sql: Sql, id: string, { role, isBlocked }: StoredPerson): Promise<void> {
  if (role === 'admin' && !isBlocked && !(await isAnotherAdminActive(sql, id))) throw new ApiError('last-admin')
}
