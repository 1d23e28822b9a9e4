import type { Actor } from '#platform/core/actor.ts'
import { type Detail, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { fileTypeOf } from '#platform/http/file-type.ts'
import { templateErrors } from '../rules/settings.ts'
import { putSettingsRow } from './queries.ts'
import type { BrokerSettingsInput } from './schema.ts'

/** Replaces the settings. @throws ApiError 400 for a logo that is no such image, and templates that contradict themselves. */
export async function putSettings(context: Context, actor: Actor, settings: BrokerSettingsInput): Promise<void> {
  const logo = settings.logo ? Buffer.from(settings.logo.data, 'base64') : null
  const errors: Detail[] = [...templateErrors(settings['reason-templates'] ?? [])]
  if (logo !== null && fileTypeOf(logo) !== settings.logo?.['content-type']) {
    errors.push({ field: 'logo.data', code: 'invalid' })
  }
  await write(context, actor, { may: [] }, async (tx) => {
    if (errors.length > 0) throw invalidBody(errors)
    await putSettingsRow(tx, settings, logo, tx.at())
    tx.audit({ action: 'settings.replaced', target: 'settings', companyId: null })
  })
}
