import { demoCompany } from '../../demo/company.ts'
import type { Config } from '#platform/core/config.ts'
import { apiVersion, version } from '#platform/core/version.ts'
import { assetPaths } from './assets.ts'
import { escapeHtml, tagged, type Tagged } from './html-response.ts'
import { codeBlock, layout } from './layout.ts'

/** The HTML of `/`. @param url of the service, for the commands. */
export function homePage({ environment, demo }: Pick<Config, 'environment' | 'demo'>, url: string): Tagged {
  const body = `<main id="content" class="home">
<h1>Vigencia</h1>
<p class="lead">An API that includes, excludes and corrects members in employee benefits in Brazil: health, dental, life insurance and others.</p>
<ul class="cards">
<li><a href="console/"><b>Console</b> The queue, members, companies and invoices, for the broker’s operators.</a></li>
<li><a href="docs"><b>API reference</b> All operations, with samples. Requests can be sent from the page.</a></li>
<li><a href="docs/guides/index"><b>Guides</b> Quickstart, how-to pages, explanations.</a></li>
<li><a href="docs/guides/pt-BR/index" lang="pt-BR" hreflang="pt-BR"><b>Guias</b> Em português.</a></li>
<li><a href="openapi.json"><b>OpenAPI 3.1</b> The document that clients are generated from.</a></li>
</ul>
<h2>${demo ? 'The first movement' : 'The first request'}</h2>
${demo ? firstMovement(url) : firstRequest(url)}
<h2>This installation</h2>
<dl>
<dt>Environment</dt><dd>${environment}</dd>
<dt>Program</dt><dd>${version}</dd>
<dt>Interface</dt><dd>${apiVersion}</dd>
<dt>Partners call</dt><dd><code>${escapeHtml(url)}/v1</code></dd>
<dt>Operators call</dt><dd><code>${escapeHtml(url)}/operator/v1</code></dd>
<dt>Health</dt><dd><a href="v1/health">v1/health</a>, <a href="readyz">readyz</a></dd>
</dl>
</main>`
  const title = `Vigencia (${environment})`
  return tagged(layout({ title, environment, scripts: [assetPaths.copyScript], body }))
}

const block = (text: string) => codeBlock(text, 'sh')

const token = `TOKEN=$(curl -s $URL/v1/authenticate -H 'Content-Type: application/json' \\
  -d '{"client-id":"'$CLIENT_ID'","client-secret":"'$CLIENT_SECRET'"}' | sed 's/.*"access-token":"\\([^"]*\\)".*/\\1/')`

function firstMovement(url: string): string {
  const body = JSON.stringify({
    'company-tax-id': demoCompany.taxId,
    members: [
      {
        'beneficiary-type': 'primary',
        name: 'Helena Brandão Souza',
        'tax-id': '52998224725',
        'mothers-name': 'Fátima Brandão',
        'date-of-birth': '1990-05-17',
        gender: 'female',
        products: { 'health-insurance': [{ name: demoCompany.products[0].name, 'start-option': 'on-inclusion-date' }] },
      },
    ],
  })
  return `<p>The service printed the secret of <code>demo-partner</code> when it started. Paste these lines into a terminal, with the secret in the second.</p>
${block(`URL=${url}\nCLIENT_ID=demo-partner CLIENT_SECRET=`)}<p>1. Get a token.</p>
${block(token)}<p>2. Include a member. <code>resolution=approve</code> stands in for the operator, in staging only.</p>
${block(`curl -s "$URL/v1/enrollment/inclusion?resolution=approve" -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '${body}'`)}<p>3. Read the members. The benefit becomes active in a moment.</p>
${block('curl -s $URL/v1/member -H "Authorization: Bearer $TOKEN"')}`
}

function firstRequest(url: string): string {
  return `<p>The broker's operator creates a client and gives its id and secret. Paste these lines into a terminal, with both in the second.</p>
${block(`URL=${url}\nCLIENT_ID= CLIENT_SECRET=`)}<p>1. Get a token.</p>
${block(token)}<p>2. List the companies that the client may access.</p>
${block('curl -s $URL/v1/company -H "Authorization: Bearer $TOKEN"')}<p>The guides show the movements that follow.</p>
`
}
