import { beforeAll, describe, test } from 'vitest'
import { illustrationErrors } from './illustrations.ts'
import { runPage } from './page-run.ts'
import { englishPages, readPage } from './pages.ts'
import { isLong } from '../scale.ts'
import { requirePrograms } from './shell.ts'

const pages = englishPages().map(readPage)
const total = pages.reduce((sum, { samples }) => sum + samples.length, 0)

/** Those of the everyday run: the first steps, and one of each kind of work. The long run has all. */
const everyday = [
  'README.md',
  'sdk/README.md',
  'docs/tutorial/partner.md',
  'docs/tutorial/quickstart.md',
  'docs/how-to/authenticate.md',
  'docs/how-to/give-payroll-its-figures-before-the-invoice.md',
  'docs/how-to/import-a-roster.md',
  'docs/how-to/include-a-family.md',
  'docs/how-to/receive-webhooks.md',
  'docs/how-to/register-a-company.md',
  'docs/how-to/send-the-month-to-a-carrier.md',
  'docs/how-to/terminate-an-employee.md',
  'docs/how-to/upload-invoices.md',
  'docs/how-to/work-the-queue.md',
]

beforeAll(requirePrograms)

describe(`${total} samples of ${pages.length} pages`, () => {
  for (const page of pages.filter(({ samples }) => samples.length > 0)) {
    test.runIf(isLong || everyday.includes(page.path))(
      `${page.path}: its ${page.samples.length} samples run in order, with the outputs shown`,
      async ({ expect }) => {
        expect((await runPage(page)).join('\n')).toBe('')
      },
    )
  }

  test('the pages of the everyday run have samples', ({ expect }) => {
    const withSamples = pages.filter(({ samples }) => samples.length > 0).map(({ path }) => path)
    expect(withSamples).toEqual(expect.arrayContaining(everyday))
  })

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
