import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { sitePages } from '../../../generate/pages.ts'
import { version } from '#platform/core/version.ts'
import { expectOk, type Json, sendUnchecked, useTestApp } from '../../world/test-app.ts'

/* The HTML pages: the reference and the guides. */

const testApp = useTestApp({ VIGENCIA_DEMO: 'true' })
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
const guides = [...sitePages().keys()]
  .map((name) => name.slice(0, -'.md'.length))
  .filter((name) => !name.endsWith('not-found'))

const get = (path: string, headers: Record<string, string> = {}, url = testApp.url) =>
  sendUnchecked(url + path, 'GET', { headers })

/** The paths that a page links to or loads, resolved; of other hosts as they are. */
function targetsOf(path: string, html: string): string[] {
  const found = [...html.matchAll(/(?:href|src|data-script)="([^"]+)"/g)].map(([, target = '']) => target)
  return found.filter((target) => !target.startsWith('data:')).map((target) => resolved(path, target))
}

function resolved(path: string, target: string): string {
  const base = path.startsWith('/docs/') || path === '/' ? path : '/'
  const url = new URL(target.replaceAll('&#38;', '&'), `http://service${base}`)
  return url.host === 'service' ? url.pathname + url.hash : url.href
}

describe.each(['/', '/docs', '/docs/guides/index', '/docs/guides/pt-BR/index'])('the page %s', (path) => {
  const accept = 'text/html,*/*;q=0.8'

  test('loads only from this service, and runs only its own scripts', async () => {
    const { headers, text } = expectOk(await get(path, { accept }))
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none';script-src 'self';")
    expect(policy.replace("style-src 'self' 'unsafe-inline'", '')).not.toContain('unsafe')
    expect(policy).not.toMatch(/https?:|\*/)
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
    const loaded = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, target = '']) => target)
    expect(loaded.filter((target) => /^(https?:)?\/\//.test(target))).toEqual([])
  })

  test('is not sent again to a browser that has it', async () => {
    // The first page names the address of the process, where no other is set.
    const { url } = testApp
    const first = expectOk(await get(path, { accept }, url))
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag') ?? ''
    const second = await get(path, { accept, 'if-none-match': etag }, url)
    expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', etag])
    expect((await get(path, { accept, 'if-none-match': '"other"' }, url)).status).toBe(200)
  })

  test('responds to HEAD as to GET', async () => {
    const head = await sendUnchecked(testApp.url + path, 'HEAD', { headers: { accept } })
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8'])
  })
})

test('the reference opens the partner API, and with `?all` every operation; each leads to the other', async () => {
  const partner = expectOk(await get('/docs', { accept: 'text/html' })).text
  expect(partner).toContain('data-document="v1/openapi.json"')
  expect(partner).toContain('href="docs?all"')
  const all = expectOk(await get('/docs?all', { accept: 'text/html' })).text
  expect(all).toContain('data-document="openapi.json"')
  expect(all).toContain('href="docs"')
})

describe('assets', () => {
  let paths: string[]
  beforeAll(async () => {
    const pages = await Promise.all(
      ['/', '/docs'].map(async (path) => [path, await get(path, { accept: 'text/html' })] as const),
    )
    paths = [...new Set(pages.flatMap(([path, { text }]) => targetsOf(path, text)))].filter((one) =>
      one.includes('assets'),
    )
  })

  test('have a path that changes with their content, and may be kept for ever', async () => {
    expect(paths.length).toBe(4)
    for (const path of paths) {
      const { headers } = expectOk(await get(path))
      expect([path, headers.get('cache-control')]).toEqual([path, 'public, max-age=31536000, immutable'])
      expect(headers.get('content-type')).toMatch(
        path.endsWith('.css') ? /^text\/css/ : /^(text|application)\/javascript/,
      )
      expect(path).toMatch(/-([\da-f]{16}|\d+\.\d+\.\d+)\.(js|css)$/)
    }
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('the script of Scalar is sent with %s, in less than 1.5 MB', async (coding, decompress) => {
    const path = paths.find((one) => one.includes('scalar')) ?? ''
    const { headers, bytes } = await getPlain(path, { 'accept-encoding': coding })
    expect([headers['content-encoding'], headers['vary']]).toEqual([coding, 'accept-encoding'])
    expect(bytes.length).toBeLessThan(1_500_000)
    expect(decompress(bytes).toString()).toBe((await get(path, { 'accept-encoding': 'identity' })).text)
  })
})

test('every guide is served, those that are made from the sources too, and its links lead to pages that are there', async () => {
  expect(guides.length).toBeGreaterThan(20)
  const pages = new Map<string, string>()
  for (const guide of guides) {
    const { text } = expectOk(await get(`/docs/guides/${guide}`))
    pages.set(`/docs/guides/${guide}`, text)
  }
  const others = new Set<string>()
  const broken = [...pages].flatMap(([path, html]) =>
    targetsOf(path, html).filter((target) => {
      const [page = '', anchor] = target.split('#')
      if (!page.startsWith('/docs/guides/') || /\.(png|svg|css|js)$/.test(page)) return void others.add(page)
      const to = pages.get(page.replace(/\/$/, '/index'))
      return to === undefined || (anchor !== undefined && !to.includes(` id="${decodeURIComponent(anchor)}"`))
    }),
  )
  expect(broken).toEqual([])
  for (const path of others) if (path.startsWith('/')) expectOk(await get(path))
})

test('the SDK, its samples and the session of the samples are pages, which guides in both languages link to', async () => {
  const linked = await Promise.all(
    ['tutorial/quickstart', 'pt-BR/tutorial/quickstart', 'how-to/use-other-languages', 'index', 'sdk/README'].map(
      async (guide) => targetsOf(`/docs/guides/${guide}`, (await get(`/docs/guides/${guide}`)).text),
    ),
  )
  const links = new Set(linked.flat().map((target) => target.split('#')[0]))
  for (const page of [
    'sdk/README',
    'sdk/examples/roster-sync',
    'sdk/examples/python/first_movement',
    'examples/session',
  ]) {
    expect([...links]).toContain(`/docs/guides/${page}`)
    expectOk(await get(`/docs/guides/${page}`))
  }
  const { text } = expectOk(await get('/docs/guides/sdk/README'))
  expect(text).toContain('vigencia-client.tgz')
})

test('a guide shows its text, tables and code, without comments, and says its language', async () => {
  const { text } = expectOk(await get('/docs/guides/index'))
  const title = /^# (.+)$/m.exec(readFileSync(`${docs}index.md`, 'utf8'))?.[1] ?? ''
  expect(text).toContain(`<h1 id="`)
  expect(text).toMatch(new RegExp(`<h1 [^>]*>${title} <a`))
  expect(text).toContain('<html lang="en">')
  expect(text).toContain('hreflang="pt-BR"')
  const portuguese = expectOk(await get('/docs/guides/pt-BR/index')).text
  expect(portuguese).toContain('<html lang="pt-BR">')
  expect(portuguese).toContain('hreflang="en"')
  const whole = await Promise.all(guides.map((guide) => get(`/docs/guides/${guide}`)))
  // Comments without words are marks of Vue.
  expect(whole.filter(({ text }) => /<!--[^>]*\w/.test(text) || !text.includes('<h1'))).toEqual([])
  expect(whole.some(({ text }) => text.includes('<table tabindex="0">') && /<pre [^>]*tabindex="0"/.test(text))).toBe(
    true,
  )
})

test('what a guide loads has a path that changes with its content, and may be kept for ever', async () => {
  const { text } = expectOk(await get('/docs/guides/index'))
  const paths = targetsOf('/docs/guides/index', text).filter((path) => path.startsWith('/docs/guides/assets/'))
  expect(paths.length).toBeGreaterThan(5)
  for (const path of paths) {
    const { headers } = expectOk(await get(path))
    expect([path, headers.get('cache-control')]).toEqual([path, 'public, max-age=31536000, immutable'])
    expect(headers.get('content-type')).toMatch(
      path.endsWith('.css') ? /^text\/css/ : /^(text|application)\/javascript/,
    )
  }
})

test('a diagram is drawn: its nodes and the words on its arrows are there as text', async () => {
  const { text } = expectOk(await get('/docs/guides/explanation/movements-and-states'))
  const [drawn = ''] = /<div class="diagram"[^]*?<\/svg>/.exec(text) ?? []
  expect(drawn).toContain('<svg role="img" aria-label="')
  expect(drawn).toMatch(/<text [^>]*>/)
  expect(text).not.toContain('stateDiagram-v2\n</code>')
})

test.each([
  ['a guide that does not exist', '/docs/guides/nothing', '<html lang="en">'],
  ['one in Portuguese', '/docs/guides/pt-BR/nada', '<html lang="pt-BR">'],
  ['a file of another kind', '/docs/guides/index.txt', '<html lang="en">'],
  ['a path out of the folder', '/docs/guides/..%2F..%2Fpackage.json', '<html lang="en">'],
  ['an encoded one', '/docs/guides/%2e%2e%2f%2e%2e%2fREADME', '<html lang="en">'],
  ['a folder', '/docs/guides/decisions', '<html lang="en">'],
  ['a name with a zero byte', '/docs/guides/index%00', '<html lang="en">'],
])('%s: a page with 404 and the list of guides', async (_what, path, html) => {
  const { status, headers, text } = await getPlain(path)
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(text).toContain(html)
  expect(text).toContain('<li><a href=')
  expect(text).not.toContain(`"version": "${version}"`)
})

test('the sample of an inclusion in the document can be sent as it is in a demo; optional parameters have no example', async () => {
  const { paths } = expectOk(await testApp.call('GET', '/openapi.json')).body as {
    paths: Record<string, Record<string, { requestBody?: Json; parameters?: Json[] }>>
  }
  const { 'client-secret': secret } = JSON.parse((await getPlain('/docs/demo-client')).text)
  const partner = await testApp.signIn('demo-partner', secret)
  const { example } = paths['/v1/enrollment/inclusion']?.['post']?.requestBody?.content['application/json'] ?? {}
  expect(expectOk(await partner.post('/v1/enrollment/inclusion', example)).body).toHaveProperty('request-id')

  const prefilled = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters)
    .filter((parameter) => parameter.required !== true && ('example' in parameter || 'examples' in parameter))
  expect(prefilled).toEqual([])
})

describe('what programs read', () => {
  test('llms.txt lists every guide but the decisions, as Markdown, and each is there', async () => {
    const { text, headers } = expectOk(await get('/llms.txt'))
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const links = [...text.matchAll(/\]\((\/docs\/guides\/[^)]+\.md)\)/g)].map(([, link = '']) => link)
    const listed = new Set(links.map((link) => link.slice('/docs/guides/'.length, -'.md'.length)))
    expect(guides.filter((guide) => !guide.startsWith('decisions/') && !listed.has(guide))).toEqual([
      'index',
      'pt-BR/index',
    ])
    for (const link of links) {
      const page = expectOk(await get(link))
      expect([link, page.headers.get('content-type')]).toEqual([link, 'text/markdown; charset=utf-8'])
      expect(page.text).toMatch(/^# /m)
    }
  })

  test('the links of a page as Markdown lead to pages as Markdown', async () => {
    const { text } = expectOk(await get('/docs/guides/pt-BR/how-to/use-other-languages.md'))
    const targets = [...text.matchAll(/\]\(([^)#:]+)/g)].map(([, link = '']) =>
      resolved('/docs/guides/pt-BR/how-to/use-other-languages.md', link),
    )
    expect(targets).toContain('/docs/guides/sdk/examples/java/FirstMovement.java')
    for (const target of targets) expectOk(await get(target))
  })

  test('the samples of the guides are one file, and each is at its own address', async () => {
    const response = await fetch(`${testApp.url}/docs/guides/examples.tgz`)
    expect(response.status).toBe(200)
    const folder = await mkdtemp(join(tmpdir(), 'vigencia-examples-'))
    try {
      await writeFile(join(folder, 'examples.tgz'), Buffer.from(await response.arrayBuffer()))
      execFileSync('tar', ['xzf', 'examples.tgz'], { cwd: folder })
      const session = await readFile(join(folder, 'examples/session.sh'), 'utf8')
      expect(expectOk(await get('/docs/guides/examples/session.sh')).text).toBe(session)
      expect(await readFile(join(folder, 'sdk/examples/python/first_movement.py'), 'utf8')).toContain('urlopen')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

test('the package of the SDK is there to be installed by npm', async () => {
  const response = await fetch(`${testApp.url}/sdk/vigencia-client.tgz`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  const folder = await mkdtemp(join(tmpdir(), 'vigencia-sdk-'))
  try {
    await writeFile(join(folder, 'package.tgz'), Buffer.from(await response.arrayBuffer()))
    execFileSync('tar', ['xzf', 'package.tgz'], { cwd: folder })
    const manifest = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'))
    expect(manifest.name).toBe('@vigencia/client')
    const entry = pathToFileURL(join(folder, 'package', manifest.exports['.'].default)).href
    expect(await import(entry)).toHaveProperty('Vigencia')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('so is the package of the command line', async () => {
  const response = await fetch(`${testApp.url}/sdk/vigencia-cli.tgz`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  const content = execFileSync('tar', ['tz'], { input: Buffer.from(await response.arrayBuffer()) }).toString()
  expect(content).toContain('package/vigencia.js\n')
})

test('a link with parameters of other programs leads to the page', async () => {
  for (const path of ['/docs', '/docs/guides/index']) {
    expect((await get(`${path}?utm_source=mail`)).status).toBe(200)
  }
})

test.each([
  ['/docs/', '/docs'],
  ['/docs/guides', '/docs/guides/index'],
  ['/docs/guides/', '/docs/guides/index'],
])('%s leads to %s', async (from, to) => {
  const { status, headers } = await getPlain(from)
  expect(status).toBe(301)
  expect(new URL(headers.location ?? '', testApp.url + from).pathname).toBe(to)
})

describe('the credentials of the demo partner', () => {
  const path = '/docs/demo-client'

  test('are for a browser on the same machine, and right', async () => {
    const { status, text, headers } = await getPlain(path, { 'sec-fetch-site': 'same-origin' })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    const { 'client-id': clientId, 'client-secret': clientSecret } = JSON.parse(text) as Record<string, string>
    expect(clientId).toBe('demo-partner')
    expect((await testApp.signIn('demo-partner', clientSecret ?? '')).token).toMatch(/^ey/)
  })

  test.each([
    ['through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['through a proxy of RFC 7239', { forwarded: 'for=203.0.113.7' }],
    ['under another name, as DNS rebinding does', { host: 'attacker.example' }],
    ['by the script of another site', { 'sec-fetch-site': 'cross-site' }],
    ['by the script of another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ])('are not shown %s', async (_how, headers) => {
    const { status, text } = await getPlain(path, headers)
    expect([status, text]).toEqual([204, ''])
  })
})

/** A GET whose path and headers are sent as they are, and whose response is not decompressed. */
async function getPlain(path: string, headers: Record<string, string> = {}) {
  const outgoing = httpRequest(testApp.url, { path, headers }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() }
}
