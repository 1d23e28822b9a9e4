import MiniSearch from 'minisearch'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { builtIndexOf } from '../../site/search-index.ts'
import { indexOptions, processTerm, searchOptions } from '../../site/search.ts'

/* Questions of integrators, and the page with the answer. The index is the one that the site is built with. */

const chunks = fileURLToPath(new URL('../../site/dist/guides/assets/chunks/', import.meta.url))

const indexes = { en: openIndex('en'), 'pt-BR': openIndex('pt-BR') }

async function openIndex(language: 'en' | 'pt-BR'): Promise<MiniSearch> {
  const { default: index } = (await import(pathToFileURL(builtIndexOf(language, chunks)).href)) as { default: string }
  return MiniSearch.loadJSON(index, { ...indexOptions, processTerm, searchOptions })
}

/** The pages of the first four results, in order. */
async function firstPages(language: 'en' | 'pt-BR', question: string): Promise<string[]> {
  const found = (await indexes[language]).search(question).slice(0, 4)
  return found.map(({ id }) => String(id).replace(/#.*/, '').replace('/docs/guides/', '').replace('pt-BR/', ''))
}

const questions: readonly (readonly [en: string, pt: string, page: string])[] = [
  ['documents for a spouse', 'documentos para cônjuge', 'how-to/know-what-to-send'],
  [
    'what happens to dependents when the employee leaves',
    'o que acontece com os dependentes quando o empregado sai',
    'how-to/terminate-an-employee',
  ],
  ['reject one member in a test', 'recusar uma pessoa em um teste', 'how-to/rehearse-in-staging'],
  [
    'how long until the carrier confirms',
    'quanto tempo até a operadora confirmar',
    'how-to/know-how-long-a-movement-takes',
  ],
  ['rotate secret', 'trocar o segredo', 'how-to/authenticate'],
  ['migrate existing members', 'migrar beneficiários existentes', 'how-to/go-live'],
  ['rate limit', 'limite de chamadas', 'reference/limits'],
  ['verify webhook signature', 'verificar a assinatura do webhook', 'how-to/receive-webhooks'],
  ['plan change in production', 'mudança de plano em produção', 'how-to/go-live'],
  ['correct an address in production', 'corrigir um endereço em produção', 'how-to/go-live'],
  ['install the SDK', 'instalar o SDK', 'sdk/README'],
  ['required fields of an inclusion', 'campos obrigatórios da inclusão', 'how-to/include-a-family'],
  ['is a completed movement covered', 'completed está coberto', 'how-to/find-out-why-somebody-is-not-covered'],
  ['withdraw a movement', 'desistir de uma movimentação', 'how-to/answer-a-pending-movement'],
  ['retry after a timeout', 'repetir depois de perder a resposta', 'how-to/retry-safely'],
  ['move the clock', 'adiantar o relógio', 'how-to/rehearse-in-staging'],
  ['what is already-enrolled', 'o que é already-enrolled', 'reference/offenses'],
  ['LGPD deletion of a person', 'exclusão de dados LGPD', 'how-to/erase-a-person'],
  ['Python example', 'exemplo em Python', 'how-to/use-other-languages'],
  ['late admission', 'admissão atrasada', 'how-to/not-miss-a-deadline'],
  ['idempotency', 'idempotência', 'how-to/retry-safely'],
  ['not covered', 'não está coberto', 'how-to/find-out-why-somebody-is-not-covered'],
  ['go live checklist', 'entrar em produção', 'how-to/go-live'],
  ['Java', 'Java', 'how-to/use-other-languages'],
  ['/v1/sandbox/clock', '/v1/sandbox/clock', 'how-to/rehearse-in-staging'],
  ['child until 24', 'filho até 24 anos', 'how-to/let-a-child-stay-until-24'],
  ['dismissed employee keeps plan', 'demitido mantém o plano', 'how-to/keep-the-plan-after-a-dismissal'],
  ['waiting period', 'carência', 'how-to/not-miss-a-deadline'],
]

test.each(questions)('the search has the page about "%s" and "%s" among the first four', async (en, pt, page) => {
  expect(await firstPages('en', en)).toContain(page)
  expect(await firstPages('pt-BR', pt)).toContain(page)
})

test('an operation, a code of an error and a field are found by their names, first', async () => {
  const first = async (question: string) => String((await indexes.en).search(question)[0]?.id)
  expect(await first('token-expired')).toBe('/docs/guides/reference/errors#token-expired')
  expect(await first('no-equivalent-product')).toContain('/docs/guides/reference/')
  expect(await first('List the documents that a movement needs')).toContain('/docs/guides/reference/api/movements#')
})

test('accents, case and plurals make no difference; a word that nothing has finds nothing', async () => {
  expect(await firstPages('pt-BR', 'IDEMPOTENCIA')).toEqual(await firstPages('pt-BR', 'idempotência'))
  expect(await firstPages('pt-BR', 'carencias')).toEqual(await firstPages('pt-BR', 'carência'))
  expect(await firstPages('en', 'xylophonist')).toEqual([])
})
