import { assetPaths } from './assets.ts'
import { tagged, type Tagged } from './html-response.ts'
import { layout } from './layout.ts'

/**
 * The page of `/docs`: the reference of the partner API by Scalar, below a form that gets the token of its requests.
 * @param script Scalar's, relative to the root of the service. @param hasAll `/docs?all`: the reference of all operations.
 */
export function referencePage(environment: string, script: string, hasAll: boolean): Tagged {
  const [file, other] = hasAll
    ? (['openapi.json', '<a href="docs">Partner API only</a>'] as const)
    : (['v1/openapi.json', '<a href="docs?all">All operations, with those of operators</a>'] as const)
  const body = `<form id="token" class="token" aria-label="Token">
<p>To send requests from this page, get a token. ${other}</p>
<label>Client id <input name="client-id" autocomplete="off" spellcheck="false" required></label>
<label>Client secret <input name="client-secret" type="password" autocomplete="off" required></label>
<button>Get a token</button>
<span role="status"></span>
</form>
<div id="content" tabindex="-1"><div id="reference" data-script="${script}" data-document="${file}"></div></div>
<noscript><p class="notice">The reference needs JavaScript. <a href="${file}">${file}</a> has all of it; the guides do without.</p></noscript>`
  const scripts = [assetPaths.referenceScript]
  return tagged(layout({ title: 'Vigencia API reference', environment, here: 'reference', scripts, body }))
}
