import { demoCompany } from '../../demo/company.ts'
import type { Language } from '#kernel/texts/texts.ts'
import type { Config } from '#platform/core/config.ts'
import { apiVersion, version } from '#platform/core/version.ts'
import { assetPaths } from './assets.ts'
import { escapeHtml } from '#kernel/escape-html.ts'
import { tagged, type Tagged } from './html-response.ts'
import { codeBlock, icon, layout } from './layout.ts'

interface Words {
  readonly lead: string
  /** For the link to each place: its name, and what is there. */
  readonly console: readonly [string, string]
  readonly guides: readonly [string, string]
  readonly otherGuides: readonly [string, string]
  readonly reference: readonly [string, string]
  readonly document: readonly [string, string]
  readonly firstMovement: string
  readonly firstRequest: string
  readonly installation: string
  readonly environment: string
  readonly program: string
  readonly interface: string
  readonly partners: string
  readonly operators: string
  readonly health: string
  readonly secret: string
  readonly ask: string
  readonly token: string
  readonly include: string
  readonly members: string
  readonly companies: string
  readonly next: string
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    lead: 'Moves people in and out of employee benefits in Brazil: health, dental, life insurance and others.',
    console: ['Sign in to the console', 'The work of the broker and of the HR of companies, in the browser.'],
    guides: ['Guides', 'First steps, how-to pages, explanations.'],
    otherGuides: ['Guias', 'Em português.'],
    reference: ['API reference', 'All operations, with samples. Requests can be sent from the page.'],
    document: ['OpenAPI 3.1', 'The document that clients are generated from.'],
    firstMovement: 'The first movement by API',
    firstRequest: 'The first request by API',
    installation: 'This installation',
    environment: 'Environment',
    program: 'Program',
    interface: 'Interface',
    partners: 'Partners call',
    operators: 'Operators call',
    health: 'Health',
    secret:
      'The service printed the secret of <code>demo-partner</code> when it started. Paste these lines into a terminal, with the secret in the second.',
    ask: 'The broker’s operator creates a client and gives its id and secret. Paste these lines into a terminal, with both in the second.',
    token: 'Get a token.',
    include: 'Include a member. <code>resolution=approve</code> stands in for the operator, in staging only.',
    members: 'Read the members. The benefit becomes active in a moment.',
    companies: 'List the companies that the client may access.',
    next: 'The guides show the movements that follow.',
  },
  'pt-BR': {
    lead: 'Inclui, exclui e altera pessoas em benefícios de empresas no Brasil: saúde, odontológico, seguro de vida e outros.',
    console: ['Entrar no console', 'O trabalho da corretora e do RH das empresas, no navegador.'],
    guides: ['Guias', 'Primeiros passos e guias práticos.'],
    otherGuides: ['Guides', 'In English.'],
    reference: ['Referência da API', 'Todas as operações, com exemplos; em inglês. A página também envia chamadas.'],
    document: ['OpenAPI 3.1', 'O documento de que os clientes são gerados.'],
    firstMovement: 'A primeira movimentação pela API',
    firstRequest: 'A primeira chamada da API',
    installation: 'Esta instalação',
    environment: 'Ambiente',
    program: 'Programa',
    interface: 'Interface',
    partners: 'Parceiros chamam',
    operators: 'Operadores chamam',
    health: 'Saúde do serviço',
    secret:
      'O serviço mostrou o segredo de <code>demo-partner</code> quando iniciou. Cole estas linhas em um terminal, com o segredo na segunda.',
    ask: 'O operador da corretora cria um cliente e entrega o id e o segredo. Cole estas linhas em um terminal, com os dois na segunda.',
    token: 'Obtenha um token.',
    include: 'Inclua uma pessoa. <code>resolution=approve</code> faz o papel do operador, só em teste.',
    members: 'Leia os beneficiários. O benefício fica ativo em instantes.',
    companies: 'Liste as empresas a que o cliente tem acesso.',
    next: 'Os guias mostram as movimentações seguintes.',
  },
}

/** The HTML of `/`. @param url of the service, for the commands. */
export function homePage(
  { environment, demo }: Pick<Config, 'environment' | 'demo'>,
  url: string,
  language: Language,
): Tagged {
  const t = words[language]
  const isPortuguese = language === 'pt-BR'
  const guides = (inPortuguese: boolean) => `docs/guides/${inPortuguese ? 'pt-BR/' : ''}index`
  const card = (href: string, [name, about]: readonly [string, string], more = '') =>
    `<li><a href="${href}"${more}><b>${name}</b> ${about}</a></li>`
  const other = isPortuguese ? 'en' : 'pt-BR'
  const body = `<main id="content" class="home">
<h1><img src="${icon}" alt="" width="36" height="36"> Vigencia</h1>
<p class="lead">${t.lead}</p>
<ul class="cards">
${card('console/', t.console, ' class="first"')}
${card(guides(isPortuguese), t.guides)}
${card(guides(!isPortuguese), t.otherGuides, ` lang="${other}" hreflang="${other}"`)}
${card('docs', t.reference)}
${card('openapi.json', t.document)}
</ul>
<h2>${demo ? t.firstMovement : t.firstRequest}</h2>
${demo ? firstMovement(url, t) : firstRequest(url, t)}
<h2>${t.installation}</h2>
<dl>
<dt>${t.environment}</dt><dd>${environment}</dd>
<dt>${t.program}</dt><dd>${version}</dd>
<dt>${t.interface}</dt><dd>${apiVersion}</dd>
<dt>${t.partners}</dt><dd><code>${escapeHtml(url)}/v1</code></dd>
<dt>${t.operators}</dt><dd><code>${escapeHtml(url)}/operator/v1</code></dd>
<dt>${t.health}</dt><dd><a href="v1/health">v1/health</a>, <a href="readyz">readyz</a></dd>
</dl>
</main>`
  const title = `Vigencia (${environment})`
  return tagged(layout({ title, environment, language, scripts: [assetPaths.copyScript], body }))
}

const block = (text: string) => codeBlock(text, 'sh')

const token = `TOKEN=$(curl -s $URL/v1/authenticate -H 'Content-Type: application/json' \\
  -d '{"client-id":"'$CLIENT_ID'","client-secret":"'$CLIENT_SECRET'"}' | sed 's/.*"access-token":"\\([^"]*\\)".*/\\1/')`

function firstMovement(url: string, t: Words): string {
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
  return `<p>${t.secret}</p>
${block(`URL=${url}\nCLIENT_ID=demo-partner CLIENT_SECRET=`)}<p>1. ${t.token}</p>
${block(token)}<p>2. ${t.include}</p>
${block(`curl -s "$URL/v1/enrollment/inclusion?resolution=approve" -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '${body}'`)}<p>3. ${t.members}</p>
${block('curl -s $URL/v1/member -H "Authorization: Bearer $TOKEN"')}`
}

function firstRequest(url: string, t: Words): string {
  return `<p>${t.ask}</p>
${block(`URL=${url}\nCLIENT_ID= CLIENT_SECRET=`)}<p>1. ${t.token}</p>
${block(token)}<p>2. ${t.companies}</p>
${block('curl -s $URL/v1/company -H "Authorization: Bearer $TOKEN"')}<p>${t.next}</p>
`
}
