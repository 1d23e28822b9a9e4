import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { expectOk, monday, sendUnchecked, until, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_DEMO: 'true' })
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('the address of the service says what it is and where to go, in JSON', async () => {
  const { body, headers } = expectOk(await testApp.call('GET', '/'))
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body).toMatchObject({ service: 'Vigencia', environment: 'staging', links: { document: '/openapi.json' } })
  const health = expectOk(await testApp.call('GET', body.links.health)).body
  expect(health).toEqual({ status: 'ok', 'business-date': monday })
  const document = expectOk(await testApp.call('GET', body.links.document)).body
  expect(document.info.version).toBe(body['api-version'])
  for (const name of ['reference', 'guides']) {
    expectOk(await sendUnchecked(testApp.url + body.links[name], 'GET'))
  }
})

test('a browser gets a page, whose links lead to what is there', async () => {
  const { text, headers } = expectOk(await testApp.call('GET', '/', { headers: html }))
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('vary')).toBe('accept, accept-language, accept-encoding')
  expect(text).toContain('staging')
  const targets = [...text.matchAll(/<a [^>]*href="([^"#]+)"/g)].map(([, path = '']) => new URL(path, testApp.url))
  expect(targets.length).toBeGreaterThan(5)
  for (const { href } of targets) expectOk(await sendUnchecked(href, 'GET'))
})

test('the page is in the language of the browser, and leads to the console first', async () => {
  const inLanguage = async (language: string) =>
    expectOk(await testApp.call('GET', '/', { headers: { ...html, 'accept-language': language } })).text
  const portuguese = await inLanguage('pt-BR,pt;q=0.9,en;q=0.8')
  expect(portuguese).toContain('<html lang="pt-BR">')
  expect(portuguese).toContain('Entrar no console')
  expect(portuguese).not.toMatch(/Sign in|Get a token|This installation/)
  const english = await inLanguage('en-US,en;q=0.9,pt;q=0.8')
  expect(english).toContain('<html lang="en">')
  expect(english).toContain('Sign in to the console')
  for (const text of [portuguese, english]) {
    const cards = text.slice(text.indexOf('<ul class="cards">'))
    expect(/href="([^"]+)"/.exec(cards)?.[1]).toBe('console/')
    expect(text).toMatch(/<h1><img src="data:image\/svg/)
  }
})

test('the lines of the first movement make a member, pasted as they are with the printed secret', async () => {
  const { text } = expectOk(await testApp.call('GET', '/', { headers: html }))
  const lines = [...text.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].map(([, code = '']) =>
    code.replaceAll(/&#(\d+);/g, (_all, point: string) => String.fromCodePoint(Number(point))),
  )
  const { 'client-secret': secret } = expectOk(await sendUnchecked(`${testApp.url}/docs/demo-client`, 'GET')).body
  const script = lines.join('\n').replace('CLIENT_SECRET=', `CLIENT_SECRET=${secret}`)
  const { stdout } = await promisify(execFile)('bash', ['-c', script])
  expect(stdout).toContain('request-id')
  const partner = await testApp.signIn('demo-partner', secret)
  const { body } = await until(
    () => partner.get('/v1/member'),
    (response) => response.body.result?.[0]?.benefits[0]?.status === 'active',
  )
  expect(body.result[0].profile.name).toBe('Helena Brandão Souza')
})
