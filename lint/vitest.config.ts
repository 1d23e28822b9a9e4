import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import base from '../vitest.config.ts'

/* The tests that need the packages of this folder: part of `npm run check`. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: { ...base.test, include: ['lint/test/**/*.test.ts'] },
})
