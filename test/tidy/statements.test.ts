import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('no EXISTS is without a column: Citus stores the rows of a subquery that it runs first, and reads none without columns', () => {
  const statements = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/exists \(\s*select\s+(\S+)/g)].map(([, column]) => ({ file, column })),
  )
  expect(statements.length).toBeGreaterThan(100)
  expect(statements.filter(({ column }) => column === 'from')).toEqual([])
})
