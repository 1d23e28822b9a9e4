import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generatedFiles, generatedFolder } from '../sdk.ts'

test('the generated types and tables are those of openapi.json', async () => {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    expect(await readFile(new URL(name, generatedFolder), 'utf8'), `${name}: run npm run openapi`).toBe(text)
  }
})
