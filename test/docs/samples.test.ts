import { beforeAll, describe, test } from 'vitest'
import { illustrationErrors } from './illustrations.ts'
import { runPage } from './page-run.ts'
import { englishPages, readPage } from './pages.ts'
import { requirePrograms } from './shell.ts'

const pages = englishPages().map(readPage)
const total = pages.reduce((sum, { samples }) => sum + samples.length, 0)

beforeAll(requirePrograms)

describe(`${total} samples of ${pages.length} pages`, () => {
  for (const page of pages.filter(({ samples }) => samples.length > 0)) {
    test(`${page.path}: its ${page.samples.length} samples run in order, with the outputs shown`, async ({
      expect,
    }) => {
      expect((await runPage(page)).join('\n')).toBe('')
    })
  }

  test('every block of a page can be run or checked', ({ expect }) => {
    expect(pages.flatMap(({ mistakes }) => mistakes)).toEqual([])
  })

  test('every illustration has the names and the paths of openapi.json', ({ expect }) => {
    const errors = pages.flatMap(({ path, fences }) =>
      fences
        .filter(({ notRun }) => notRun === null)
        .flatMap((fence) => illustrationErrors(fence).map((error) => `${path}:${fence.line}: ${error}`)),
    )
    expect(errors).toEqual([])
  })
})
