import type { Sql } from '#platform/core/database.ts'
import type { LogoType } from '../rules/settings.ts'
import type { BrokerSettingsInput } from './schema.ts'

/** The path of the logo, with what changes when it is another one. */
const logoUrl = `case when logo is not null then '/operator/v1/brand/logo?sha256=' || left(encode(sha256(logo), 'hex'), 16) end`

/** The settings as the body of a response. */
export async function readBrokerSettings(sql: Sql): Promise<object> {
  const [row] = await sql.query<{ settings: object }>(
    `select json_build_object('broker-name', broker_name, 'logo', case when logo is not null then
       json_build_object('content-type', logo_type, 'data', translate(encode(logo, 'base64'), E'\\n', '')) end,
       'reason-templates', reason_templates, 'updated-at', iso(updated_at)) as settings from broker_setting`,
  )
  return row?.settings ?? { 'broker-name': null, logo: null, 'reason-templates': null, 'updated-at': null }
}

interface Brand {
  readonly 'broker-name': string | null
  readonly 'logo-url': string | null
}

/** What everybody sees of the broker. */
export async function readBrand(sql: Sql): Promise<Brand> {
  const [row] = await sql.query<{ brand: Brand }>(
    `select json_build_object('broker-name', broker_name, 'logo-url', ${logoUrl}) as brand from broker_setting`,
  )
  return row?.brand ?? { 'broker-name': null, 'logo-url': null }
}

/** The logo; null: there is none. */
export async function readLogo(sql: Sql): Promise<{ readonly type: LogoType; readonly bytes: Buffer } | null> {
  const [row] = await sql.query<{ type: LogoType; bytes: Buffer }>(
    'select logo_type as type, logo as bytes from broker_setting where logo is not null',
  )
  return row ?? null
}

export async function putSettingsRow(
  sql: Sql,
  settings: BrokerSettingsInput,
  logo: Buffer | null,
  at: Date,
): Promise<void> {
  const templates = settings['reason-templates'] ?? null
  await sql.execute(
    `insert into broker_setting (broker_name, logo, logo_type, reason_templates, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set broker_name = excluded.broker_name, logo = excluded.logo, logo_type = excluded.logo_type,
       reason_templates = excluded.reason_templates, updated_at = excluded.updated_at`,
    [
      settings['broker-name'] ?? null,
      logo,
      settings.logo?.['content-type'] ?? null,
      templates === null ? null : JSON.stringify(templates),
      at,
    ],
  )
}
