import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const run = promisify(execFile)

const strict = { strict: true, noEmit: true, allowImportingTsExtensions: true, target: 'es2023' }

/** Compiles the TypeScript of a folder. @param options beside the strict ones. @returns what the compiler prints; empty: no error. */
export async function compile(folder: string, options: object = {}): Promise<string> {
  const lib = ['es2023', 'dom', 'dom.iterable']
  const compilerOptions = { ...strict, module: 'nodenext', lib, types: [], ...options }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  const compiled = run(join(root, 'node_modules/.bin/tsc'), ['--project', folder])
  return (await compiled.catch((error: { stdout: string }) => error)).stdout
}
