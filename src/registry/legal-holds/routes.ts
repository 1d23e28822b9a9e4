import { maskFields } from '#kernel/masking.ts'
import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { mapPage } from '#platform/http/page.ts'
import { resource } from '#platform/http/resource.ts'
import { holdPage, readHold } from './queries.ts'
import { HoldBody, HoldQuery, ReleaseBody, LegalHold } from './schema.ts'
import { endHold, setHold } from './write.ts'

/** `/operator/v1/legal-hold`: of whom nothing may be deleted. */
export async function legalHoldRoutes(app: App, context: Context): Promise<void> {
  const legalHold = resource(app, context, {
    noun: 'legal-hold',
    mayRead: ['auditor'],
    mayWrite: [],
    item: LegalHold,
    read: async (sql, id) => maskFields(await readHold(sql, id)) as object | null,
    columns: {
      'LEGAL-HOLD-ID': 'legal-hold-id',
      'TAX-ID': 'tax-id',
      COMPANY: 'company-name',
      REASON: 'reason',
      'CREATED-AT': 'created-at',
      'RELEASED-AT': 'released-at',
    },
  })

  legalHold.list({
    summary: 'List the legal holds',
    description: 'The newest first. CPFs are masked.',
    cli: { ids: 'legal-hold-id', examples: { 'legal-hold list --in-force': 'those that stop deletion now' } },
    query: HoldQuery,
    page: async (sql, query) => mapPage(await holdPage(sql, query), maskFields),
  })
  legalHold.create({
    operationId: 'setLegalHold',
    summary: 'Forbid the deletion of the data of a person or a company',
    description:
      'Until it is released, neither retention nor erasure deletes anything of the person, or of the people of the company.',
    cli: {
      command: 'legal-hold set',
      examples: {
        'legal-hold set --tax-id 529.982.247-25 --reason "Ação 0010123-45.2026.5.02.0001"': 'of a person',
        'legal-hold set --company-tax-id 12.ABC.345/01DE-35 --reason Fiscalização': 'of all people of a company',
      },
    },
    errors: ['company-not-found', 'legal-hold-in-force'],
    body: json(HoldBody),
    run: (actor, body) => setHold(context, actor, body),
  })
  legalHold.act('release', {
    summary: 'Release a legal hold',
    description: 'What it is on may be deleted again.',
    cli: {
      examples: {
        'legal-hold release 01995e10-1a2b-7c3d-8e4f-5a6b7c8d9e0f --reason "Processo arquivado"':
          'it no longer stops deletion',
      },
    },
    errors: ['legal-hold-released'],
    body: json(ReleaseBody),
    run: (actor, id, { reason }) => endHold(context, actor, id, reason),
  })
}
