import type { ClientActor } from '#platform/core/actor.ts'
import type { Database } from '#platform/core/database.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { MAX_VIEWS, VIEW_FILTERS } from '../rules/view.ts'
import { deleteViewRow, lockViews, putViewRow, readOthers, readView } from './queries.ts'
import type { ViewInput } from './schema.ts'

/** The roles that write views, beside `admin`. */
export const mayWriteViews = ['analyst'] as const

/** Creates or replaces a view. @throws ApiError 400 for a filter that views do not have, a name in use, and one too many. */
export async function putView(database: Database, actor: ClientActor, id: string, body: ViewInput): Promise<void> {
  const view = { ...body, id, name: body.name.trim(), actorId: actor.clientId }
  const names: readonly string[] = VIEW_FILTERS[view.area]
  if (!Object.keys(view.filters).every((name) => names.includes(name))) {
    throw invalidBody([{ field: 'filters', code: 'unknown', allowed: names }])
  }
  await write({ database }, actor, { may: mayWriteViews }, async (tx) => {
    await lockViews(tx)
    const others = await readOthers(tx, id, view)
    if (others.hasName) throw invalidBody([{ field: 'name', code: 'already-in-use' }])
    if (others.count >= MAX_VIEWS) throw invalidBody([{ field: 'area', code: 'too-many' }])
    const isNew = (await readView(tx, id)) === null
    await putViewRow(tx, view, tx.at())
    tx.audit({ action: isNew ? 'view.created' : 'view.replaced', target: id, companyId: null })
  })
}

/** Deletes a view. @throws ApiError 404. */
export async function deleteView(database: Database, actor: ClientActor, id: string): Promise<void> {
  await write({ database }, actor, { may: mayWriteViews }, async (tx) => {
    if (!(await deleteViewRow(tx, id))) throw new ApiError('view-not-found')
    tx.audit({ action: 'view.deleted', target: id, companyId: null })
  })
}
