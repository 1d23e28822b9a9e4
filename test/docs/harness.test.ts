// What the tests of the samples find, on pages that have mistakes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonDifference, textDifference } from './compare.ts'
import { illustrationErrors } from './illustrations.ts'
import type { TestApp } from '../world/test-app.ts'
import { openPageApp, runPage, runSamples } from './page-run.ts'
import { type Page, parsePage } from './pages.ts'
import { requirePrograms } from './shell.ts'

const today = ['2030-05-06']
const id = '01a1fd7c-de76-76b4-a892-ec4725c1a000'

/** A page of blocks; a line each starts at 1, 4 lines apart when the block has one line. */
const page = (...blocks: string[]): Page => parsePage('page.md', `${blocks.join('\n')}\n`)
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

beforeAll(requirePrograms)

describe('a page that is run', () => {
  const getToken = String.raw`export URL=http://127.0.0.1:3000
export PARTNER_SECRET='…'
TOKEN=$(curl -s $URL/v1/authenticate -H 'Content-Type: application/json' \
  -d "{\"client-id\":\"demo-partner\",\"client-secret\":\"$PARTNER_SECRET\"}" \
  | sed 's/.*"access-token":"\([^"]*\)".*/\1/')`
  const companies = `curl -s $URL/v1/company -H "Authorization: Bearer $TOKEN"`

  test('has no errors when each output is as shown, over all its blocks', async () => {
    const samples = page(
      block('sh', 'npm install && VIGENCIA_BUSINESS_DATE=2027-01-04 npm start'),
      block('sh', getToken),
      block('sh', companies),
      block('json', `{ "result": [{ "id": "${id}", "tax-id": "11222333000181", "products": ["…"] }] }`),
      block('ts', 'const url: string | undefined = process.env.URL\nconsole.log(url, new Date(0).toISOString())'),
      block('text', 'http://127.0.0.1:3000 2026-11-22T13:00:00.000Z'),
      '<!-- exit code: 3 -->',
      block('sh', 'echo usage >&2; (exit 3)'),
      block('text', 'us…'),
      '<!-- not run: needs another machine -->',
      block('sh', 'exit 1'),
    )
    expect(samples.mistakes).toEqual([])
    expect(samples.samples).toHaveLength(4)
    expect(await runPage(samples)).toEqual([])
  })

  describe('with a mistake', () => {
    let app: TestApp
    beforeAll(async () => {
      app = await openPageApp({})
    })
    afterAll(() => app.close())

    test.for([
      ['another output', [block('sh', 'echo one'), block('text', 'two')], 'page.md:4: it prints\none'],
      ['a missing key', [block('sh', `echo '{"a":1}'`), block('json', '{"b":1}')], 'page.md:4: .b is missing'],
      ['a command that fails before the last', [block('sh', 'true\nfalse\ntrue')], 'page.md:3: the exit code is 1'],
      [
        'an error that the page does not show',
        [block('sh', 'curl -s http://127.0.0.1:3000/v1/company')],
        'page.md:1: the page shows no output',
      ],
      ['another exit code', ['<!-- exit code: 2 -->', block('sh', 'false')], 'page.md:2: its exit code is 1'],
      ['a shell that ends', [block('sh', 'exit 0')], 'page.md:1: the shell ended'],
      ['a module that throws', [block('ts', 'throw new Error("no")')], 'page.md:1: the exit code is 1'],
      ['npm', [block('sh', 'npm test')], 'page.md:2: the exit code is 1'],
    ] as const)('names page and line of %s', async ([, blocks, error]) => {
      const [first, ...others] = await runSamples(app, page(...blocks))
      expect(first).toContain(error)
      expect(others).toEqual([])
    })
  })
})

test('blocks that cannot be run or checked are named', () => {
  expect(page(block('json', '{}'), block('python', 'pass')).mistakes).toEqual([
    'page.md:1: the output of no sample; an illustration is ```jsonc',
    'page.md:4: unknown kind of block: ```python',
  ])
})

test('ids, tokens and timestamps match any of their form, a date also that of today, and … anything', () => {
  const shown = `{"id":"${id}","at":"2026-11-22T10:00:00.000Z","start":"2026-11-22","name":"A…","more":["…"],"…":"…"}`
  const other = id.replace('01a1', '01a2')
  const actual = { id: other, at: '2030-05-06T00:00:00.000Z', start: '2030-05-06', name: 'Ana', more: [1, 2], extra: 1 }
  expect(jsonDifference(shown, JSON.stringify(actual), today)).toBeNull()
  expect(jsonDifference(shown, JSON.stringify({ ...actual, id: 'x' }), today)).toContain('.id is "x"')
  expect(jsonDifference(shown, JSON.stringify({ ...actual, start: '2030-05-07' }), today)).toContain('.start is')
  expect(jsonDifference('[1]', '[1,2]', today)).toContain('has 2 items, not 1')
  expect(jsonDifference('{}', '{"a":1}{"b":1}', today)).toContain('no JSON')
  expect(textDifference('from 2026-11-22\nto …', 'from 2030-05-06 \nto 7', today)).toBeNull()
  expect(textDifference('one', 'one more', today)).not.toBeNull()
})

test('an illustration with a name, a path or JSON that openapi.json does not have is an error', () => {
  const errors = (language: string, text: string) => page(block(language, text)).fences.flatMap(illustrationErrors)
  expect(errors('jsonc', '{ "tax-id": "1", // a CPF\n "12345678909": 1 }')).toEqual([])
  expect(errors('jsonc', '{ "tax-number": "1" }')).toEqual(['openapi.json has no property tax-number'])
  expect(errors('jsonc', '{ "tax-id": }')).not.toEqual([])
  expect(errors('jsonc', '{ "error": "Invalid", "code": "invalid-answer" }')).toEqual([
    'invalid-answer is "Invalid answer"',
  ])
  expect(errors('http', 'GET /v1/member?page=1 HTTP/1.1\nHost: x')).toEqual([])
  expect(errors('http', 'GET /v1/people HTTP/1.1')).toEqual(['openapi.json has no /v1/people'])
  expect(errors('http', 'HTTP/1.1 400 Bad Request\n\n{ "reason-of-error": 1 }')).toHaveLength(1)
})
