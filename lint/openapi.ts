/* `npm run check:openapi`: the linters of Redocly and Stoplight, as their users run them, over openapi.json and the document of the partner API. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type OpenApi, partnerDocument } from '../src/platform/http/partner-document.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('./', import.meta.url))
const openapi = fileURLToPath(new URL('../openapi.json', import.meta.url))

/** The document of the partner API, as the service makes it. */
export async function readPartnerDocument(): Promise<OpenApi> {
  return partnerDocument(JSON.parse(await readFile(openapi, 'utf8')) as OpenApi)
}

/** What the linters say; empty when they find nothing. */
async function findingsOf(document: string): Promise<string> {
  const [redocly, spectral] = ['redocly', 'spectral'].map((name) => join(folder, 'node_modules/.bin', name)) as [
    string,
    string,
  ]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const calls = [
    run(redocly, ['lint', '--config', join(folder, 'redocly.yaml'), '--format', 'stylish', document], { env }),
    run(spectral, ['lint', '--ruleset', join(folder, 'spectral.yaml'), '--fail-severity', 'warn', document], { env }),
  ]
  const failed = calls.map((call) =>
    call.then(
      () => '',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${document}\n${stdout}${stderr}`,
    ),
  )
  return (await Promise.all(failed)).join('')
}

if (import.meta.main) {
  const temporary = await mkdtemp(join(tmpdir(), 'vigencia-openapi-'))
  try {
    const partner = join(temporary, 'partner.json')
    await writeFile(partner, JSON.stringify(await readPartnerDocument(), null, 2))
    const findings = [await findingsOf(openapi), await findingsOf(partner)].join('')
    process.stdout.write(findings)
    if (findings !== '') process.exitCode = 1
  } finally {
    await rm(temporary, { recursive: true })
  }
}
