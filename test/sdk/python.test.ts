import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { nextCpf } from '../data/people.ts'
import { inheritedEnvironment } from '../environment.ts'
import { useTestApp } from '../world/test-app.ts'

const testApp = useTestApp()
const script = fileURLToPath(new URL('../../sdk/examples/python/first_movement.py', import.meta.url))
const run = promisify(execFile)

async function python(cpf: string): Promise<{ stdout: string; stderr: string; code?: number | string }> {
  const company = await testApp.company()
  const { clientId, clientSecret } = await testApp.partner(company.taxId)
  const env = {
    ...inheritedEnvironment(),
    VIGENCIA_URL: testApp.url,
    VIGENCIA_CLIENT_ID: clientId,
    VIGENCIA_CLIENT_SECRET: clientSecret,
  }
  return run('python3', [script, cpf], { env }).catch((error: Awaited<ReturnType<typeof python>>) => {
    if (error.code === 'ENOENT') throw new Error('this test needs Python: apt-get install --yes python3')
    return error
  })
}

test('the Python example includes an employee and prints the active benefit', async () => {
  const { stdout, stderr } = await python(nextCpf())
  expect(stderr).toBe('')
  expect(stdout).toBe('request completed; Saúde Essencial Enfermaria: active\n')
})

test('it prints the response of a movement with offenses', async () => {
  const { stdout, stderr, code } = await python('123.456.789-00')
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr).toMatch(/^400 \{"error": ?"Invalid members".*invalid-tax-id/)
})

test('it has at most 60 lines, and imports the standard library alone', async () => {
  const text = await readFile(script, 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  const modules = [...text.matchAll(/^(?:import|from) (\w+)/gm)].map((found) => found[1] ?? '')
  const names = 'import sys; print(sorted(set(sys.argv[1:]) - sys.stdlib_module_names))'
  expect((await run('python3', ['-c', names, ...modules])).stdout).toBe('[]\n')
})
