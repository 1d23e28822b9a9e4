import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import type { App, Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { PageOf } from '#platform/http/page.ts'
import { pages } from '#platform/http/pages.ts'
import { Closed, Nullable, type PageQuery, pageQuery } from '#platform/http/schemas.ts'
import { markBrokenImports } from './queries.ts'
import { ImportResponse } from './schema.ts'

const { errors: _errors, ...fields } = ImportResponse.properties
const listFields = {
  'file-name': Nullable(Type.String({ description: 'As the client named it.' })),
  'company-name': Nullable(Type.String({ description: 'Of the `company-tax-id` of the import.' })),
  'actor-name': Type.String({ description: 'Who imported it.' }),
}

const example = {
  'import-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  status: 'done',
  'dry-run': false,
  lines: 3,
  accepted: 2,
  rejected: 1,
  'file-name': 'carteira.xlsx',
  'company-name': 'Metalúrgica Serra Azul S.A.',
  'actor-name': 'Ana Prado',
  'created-at': '2026-11-21T13:05:09.120Z',
  'finished-at': '2026-11-21T13:05:09.410Z',
}

/** A page of the imports, newest first, without their errors. */
const importPage = pages<PageQuery>({
  from: `member_import left join client on client.id = member_import.actor
    left join company on company.tax_id = member_import.company_tax_id`,
  item: `json_build_object('import-id', member_import.id, 'status', status, 'dry-run', dry_run, 'lines', lines, 'accepted', accepted,
    'rejected', rejected, 'file-name', file_name, 'company-name', company.name, 'actor-name', coalesce(client.name, member_import.actor),
    'created-at', iso(member_import.created_at), 'finished-at', iso(finished_at))`,
  order: 'member_import.created_at desc, member_import.id desc',
  where: {},
})

/** `GET /operator/v1/member/import`: the imports of members. */
export async function importListRoute(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/member/import',
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listImports',
      'x-sdk': 'imports.list',
      'x-cli': {
        command: 'import list',
        examples: { 'import list --where status=broken': 'those that stopped' },
        columns: {
          'IMPORT-ID': 'import-id',
          STATUS: 'status',
          LINES: 'lines',
          ACCEPTED: 'accepted',
          REJECTED: 'rejected',
          'CREATED-AT': 'created-at',
          'FINISHED-AT': 'finished-at',
        },
      },
      summary: 'List the imports, newest first',
      description: 'Dry runs too. Without the errors of their lines.',
      querystring: Closed(pageQuery),
      response: { 200: PageOf(Type.Object({ ...fields, ...listFields }), example) },
    },
    handler: async (request, reply) => {
      await markBrokenImports(database, null)
      return sendJson(reply, listBody(await importPage(database, request.query), request.query))
    },
  })
}
