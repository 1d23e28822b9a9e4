import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { BUILT_IN } from './built-in/built-in.ts'
import { maxLayouts } from './definition.ts'
import type { LayoutInput } from './layout.ts'
import { countLayouts, findLayout, isUsed, lockLayout, putLayoutRow } from './queries.ts'

/** The roles that write layouts, beside `admin`. */
export const mayWriteLayouts = ['analyst'] as const

/** Creates a checked layout. @returns its id. @throws ApiError 409 when there are as many as an installation may have. */
export async function createLayout(context: Context, actor: Actor, body: LayoutInput): Promise<string> {
  return write(context, actor, { may: mayWriteLayouts }, async (tx) => {
    if ((await countLayouts(tx)) >= maxLayouts) throw new ApiError('too-many-layouts')
    const id = uuidv7()
    await putLayoutRow(tx, { id, version: 1 }, body, tx.at())
    tx.audit({ action: 'layout.created', target: id, companyId: null })
    return id
  })
}

/**
 * Replaces a layout by a checked one: its latest version, or, when a shipment used that one, by the next version. The direction stays.
 * @throws ApiError 404, 409 for a built-in one, 400.
 */
export async function replaceLayout(context: Context, actor: Actor, id: string, body: LayoutInput): Promise<void> {
  await write(context, actor, { may: mayWriteLayouts }, async (tx) => {
    if (BUILT_IN.has(id)) throw new ApiError('layout-built-in')
    await lockLayout(tx, id, 'update')
    const stored = await findLayout(tx, id)
    if (stored === null) throw new ApiError('layout-not-found')
    if (stored.direction !== body.direction) {
      throw invalidBody([{ field: 'direction', code: 'invalid', message: { key: 'not-another' } }])
    }
    const version = (await isUsed(tx, id, stored.version)) ? stored.version + 1 : stored.version
    await putLayoutRow(tx, { id, version }, body, tx.at())
    tx.audit({ action: 'layout.replaced', target: `${id} version ${version}`, companyId: null })
  })
}
