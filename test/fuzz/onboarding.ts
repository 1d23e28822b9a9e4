import { pick, type Source } from './generate.ts'
import { jsonText } from './hostile.ts'
import type { Operation } from './operations.ts'
import type { Pool, PoolRecord } from './pool.ts'
import type { Draft, FuzzRequest } from './request.ts'

/* Onboarding links: what one call shows of a link is what the next needs in its headers and body. */

const token = 'onboarding-token'
const session = 'onboarding-session'

/** Notes what a response shows of a link. */
export function noteLink(pool: Pool, { operation, body: sent, headers }: FuzzRequest, body: unknown): void {
  const { result, 'document-id': documentId } = (body ?? {}) as {
    result?: Record<string, string>
    'document-id'?: string
  }
  const known = Object.fromEntries(headers.filter(([name]) => name === token || name === session))
  if (operation.id === 'createOnboardingInvitation' && result?.['link'] !== undefined) {
    const invited = JSON.parse(String(sent).replace(/^\uFEFF/, '')) as Record<string, string> & {
      products: { 'product-id': string }[]
    }
    pool.addRecord({
      [token]: result['link'].split('#')[1] ?? '',
      'tax-id-ending': (invited['tax-id'] ?? '').replaceAll(/\D/g, '').slice(-5),
      'date-of-birth': invited['date-of-birth'] ?? '',
      'chosen-product-ids': invited.products.map((product) => product['product-id']).join(),
    })
  }
  if (operation.id === 'startOnboardingSession' && result?.['session'] !== undefined) {
    const products = pool.findRecord(token, known[token] ?? '')?.['chosen-product-ids'] ?? ''
    pool.addRecord({ ...known, [session]: result['session'], 'chosen-product-ids': products })
  }
  if (operation.id === 'uploadOnboardingDocument' && documentId !== undefined) {
    pool.addRecord({ ...known, 'link-document-id': documentId })
  }
}

/** Names a link that there is, and mostly what belongs to it. */
export function useLink({ rng, pool }: Source, operation: Operation, draft: Draft): void {
  if (operation.id === 'approveOnboardingInvitation') {
    const reviewed = pool.pickRecord(['invitation-id', 'submitted-at'], rng)
    if (reviewed === null || rng.oneIn(8)) return
    draft.path = operation.path.replace(/\{[^}]+\}/, reviewed['invitation-id'] ?? '')
    putJson(draft, { 'submitted-at': reviewed['submitted-at'] })
  }
  if (!operation.path.startsWith('/onboarding/')) return
  const link = pool.pickRecord([token, neededOf(operation)], rng)
  if (link === null || rng.oneIn(10)) return
  for (const name of [token, session]) if (link[name] !== undefined) draft.headers.push([name, link[name]])
  if (operation.id === 'startOnboardingSession' && !rng.oneIn(6)) {
    putJson(draft, { 'tax-id-ending': link['tax-id-ending'], 'date-of-birth': link['date-of-birth'] })
  }
  if (operation.id === 'submitOnboarding' && !rng.oneIn(3))
    putJson(draft, submissionOf(link, rng.oneIn(4), pick(rng, ['female', 'male'])))
  if (operation.id === 'deleteOnboardingDocument') {
    draft.path = operation.path.replace(/\{[^}]+\}/, link['link-document-id'] ?? '')
  }
}

function neededOf({ id }: Operation): string {
  if (id === 'startOnboardingSession') return 'tax-id-ending'
  return id === 'deleteOnboardingDocument' ? 'link-document-id' : session
}

function submissionOf(link: PoolRecord, isWaived: boolean, gender: string): object {
  const ids = link['chosen-product-ids']?.split(',') ?? []
  const choice = isWaived ? { choice: 'waive', 'typed-name': 'Helena Prado' } : { choice: 'enroll' }
  const choices = ids.map((id) => ({ 'product-id': id, ...choice }))
  const member = { name: 'Helena Prado', 'mothers-name': 'Fátima Prado', gender, 'marital-status': 'married' }
  return isWaived ? { choices } : { member, choices }
}

function putJson(draft: Draft, json: object): void {
  draft.json = json
  draft.body = Buffer.from(jsonText(json))
}
