import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { nextCpf } from '../data/people.ts'
import { inheritedEnvironment } from '../environment.ts'
import { useTestApp } from '../world/test-app.ts'

const script = fileURLToPath(new URL('../../sdk/examples/java/FirstMovement.java', import.meta.url))

/** Java is no requirement of the tests: 17 or later. */
const version = /version "(\d+)/.exec(spawnSync('java', ['-version'], { encoding: 'utf8' }).stderr ?? '')?.[1]

describe.runIf(Number(version ?? 0) >= 17)('the Java example', () => {
  const testApp = useTestApp()

  async function java(cpf: string): Promise<{ stdout: string; stderr: string; code?: number | string }> {
    const company = await testApp.company()
    const { clientId, clientSecret } = await testApp.partner(company.taxId)
    const env = {
      ...inheritedEnvironment(),
      VIGENCIA_URL: testApp.url,
      VIGENCIA_CLIENT_ID: clientId,
      VIGENCIA_CLIENT_SECRET: clientSecret,
    }
    return promisify(execFile)('java', [script, cpf], { env }).catch((error: Awaited<ReturnType<typeof java>>) => error)
  }

  test('includes an employee and prints the active benefit', async () => {
    const { stdout, stderr } = await java(nextCpf())
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^request completed; .+: active\n$/), ''])
  })

  test('prints the response of a movement with offenses', async () => {
    const { stdout, stderr, code } = await java('123.456.789-00')
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toMatch(/^400 \{"error": ?"Invalid members".*invalid-tax-id/)
  })
})
