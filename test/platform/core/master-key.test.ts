import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { masterKeyIn } from '#platform/core/crypto/master-key.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigencia-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('master key of a folder', () => {
  test('is made once, for its owner alone, and is the same at the next start', () => {
    const dataDir = join(folder, 'not', 'there')
    const key = masterKeyIn(dataDir)
    expect(key).toHaveLength(32)
    expect(masterKeyIn(dataDir)).toEqual(key)
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['master.key'])
    expect(Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8'), 'base64')).toEqual(key)
  })

  test('is one and the same for processes that start at once', async () => {
    const program = `import('${new URL('../../../src/platform/core/crypto/master-key.ts', import.meta.url).href}').then(({ masterKeyIn }) =>
      process.stdout.write(masterKeyIn(process.argv[1]).toString('hex')))`
    const run = () => promisify(execFile)(process.execPath, ['-e', program, folder])
    const keys = await Promise.all(Array.from({ length: 6 }, run))
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1)
    expect(keys[0]?.stdout).toMatch(/^[0-9a-f]{64}$/)
    expect(readdirSync(folder)).toEqual(['master.key'])
  })

  test('is never made over a file that is none', () => {
    writeFileSync(join(folder, 'master.key'), 'half a k')
    expect(() => masterKeyIn(folder)).toThrow(/not 32 bytes in base64/)
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe('half a k')
  })
})
