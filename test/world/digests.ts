import { readConfig } from '#platform/core/config.ts'
import { openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { writeDigests } from '#apps/digests/write-digests.ts'
import { monday, type TestApp } from './test-app.ts'

/** The settings of an app whose mails a test reads. */
export const mailSettings = (url: string) => ({
  VIGENCIA_SMTP_URL: url,
  VIGENCIA_SMTP_TLS: 'optional',
  VIGENCIA_MAIL_FROM: 'beneficios@broker.example',
  VIGENCIA_PUBLIC_URL: 'https://console.example',
})

/** Writes the digests that are due at an instant of a day, as the schedule of a worker does. @returns how many. */
export async function digestsAt(
  { databaseUrl }: Pick<TestApp, 'databaseUrl'>,
  now: string,
  day = monday,
): Promise<number> {
  const log = openLog('error')
  const options = { connections: 2, namedStatements: true, applicationName: 'digests' }
  const database = openDatabase({ url: databaseUrl, ...options }, log)
  try {
    const config = readConfig({ ...mailSettings('smtp://127.0.0.1:1') })
    return await writeDigests({ database, config, today: () => day }, new Date(now))
  } finally {
    await database.close()
  }
}
