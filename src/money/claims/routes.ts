import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { mayReadMoney } from '../prices/put.ts'
import { exportRoute } from './export-route.ts'
import { claimPage, readClaim } from './queries.ts'
import { ClaimBody, ClaimList, ClaimQuery, ClaimStepBody, Claim } from './schema.ts'
import { createClaim, deleteClaim, mayClaim, moveClaim } from './write.ts'

const example = '01995e0f-4d31-7e44-9f55-809102132435'

/** `/operator/v1/claim`: what carriers are asked to pay back. */
export async function claimRoutes(app: App, context: Context): Promise<void> {
  const claim = resource(app, context, {
    noun: 'claim',
    mayRead: mayReadMoney,
    mayWrite: mayClaim,
    item: Claim,
    read: readClaim,
    columns: {
      'CLAIM-ID': 'claim-id',
      COMPANY: 'company-name',
      CARRIER: 'carrier-name',
      CONTRACT: 'contract-number',
      MONTH: 'reference-month',
      STATUS: 'status',
      'TOTAL (CENTS)': 'total',
      'CREDITED (CENTS)': 'credited-total',
      PROTOCOL: 'carrier-protocol',
    },
  })

  claim.create({
    summary: 'Claim what an invoice charges too much',
    description: 'A draft. The discrepancies become `claimed`.',
    cli: {
      options: { 'discrepancy-ids': 'discrepancy' },
      examples: {
        'claim create --reconciliation-id 01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12 --discrepancy 01995e0d-3c40-7c51-8f6a-7b8c9d0e1f23':
          'a draft of one line',
      },
    },
    errors: ['reconciliation-not-found', 'reconciliation-status'],
    body: json(ClaimBody),
    run: (actor, body) => createClaim(context, actor, body),
  })
  claim.act('move', {
    summary: 'Say what became of a claim',
    description:
      'What a refused claim claimed and was not credited is open again, unless the month is closed. When the next invoice is compared, a credit of exactly the amount of a line marks it as credited.',
    path: 'status',
    cli: { examples: { [`claim move ${example} --status sent --carrier-protocol 2026-778812`]: 'it was sent' } },
    errors: ['claim-status'],
    body: json(ClaimStepBody),
    run: (actor, id, step) => moveClaim(context, actor, id, step),
  })
  claim.remove({
    summary: 'Delete a claim that was not sent',
    description: 'What it claimed is open again.',
    errors: ['claim-status', 'month-closed'],
    run: (actor, id) => deleteClaim(context, actor, id),
  })
  exportRoute(app, context)
  claim.list({
    summary: 'List the claims',
    description: 'The newest first, with the totals of all that the filters select.',
    cli: { ids: 'claim-id', examples: { 'claim list --status accepted': 'those that wait for their credit' } },
    query: ClaimQuery,
    response: ClaimList,
    page: claimPage,
  })
  claim.get({
    summary: 'Read a claim with its lines',
    description: 'With the invoice that credits each line.',
  })
}
