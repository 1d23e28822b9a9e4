import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { areas } from '../../console/src/shell/areas.ts'
import { guideOf } from '../../console/src/shell/guides.ts'

test.each(['pt-BR', 'en'])('the guide that each area of the console leads to exists in %s', (language) => {
  const missing = areas
    .map((area) => guideOf(area, language).replace('/docs/guides/', ''))
    .filter((page) => !existsSync(new URL(`../../docs/${page}.md`, import.meta.url)))
  expect(missing).toEqual([])
})
