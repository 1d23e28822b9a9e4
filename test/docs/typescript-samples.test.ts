import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { englishPages, readPage, root } from './pages.ts'

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

test('the TypeScript samples of all pages compile in strict mode, in a project that has the SDK', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigencia-types-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['samples'] }))
    mkdirSync(join(folder, 'samples'))
    for (const { path, samples } of englishPages().map(readPage)) {
      for (const { text, line } of samples.filter(({ language }) => language === 'ts')) {
        writeFileSync(join(folder, 'samples', `${path.replaceAll('/', '_')}_${line}.ts`), text)
      }
    }
    const tsc = promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
    const errors = await tsc.then(
      () => '',
      (error: { stdout: string }) => error.stdout.replaceAll(/^.*samples\//gm, ''),
    )
    expect(errors).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
