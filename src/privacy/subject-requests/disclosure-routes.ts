import { ApiError } from '#platform/core/errors.ts'
import type { App, Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds, pagination } from '#platform/http/schemas.ts'
import { listDisclosures, listReaders, readSeenPerson } from './disclosures.ts'
import { findMember } from './person-data.ts'
import { DisclosureList, DisclosurePath, DisclosureQuery } from './schema.ts'

const example = '5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11'

/** Who saw a person. */
export async function disclosureListRoute(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/member/:memberId/disclosure',
    api: 'operator',
    roles: ['auditor'],
    schema: {
      operationId: 'listMemberDisclosures',
      'x-sdk': 'members.disclosures',
      'x-cli': {
        command: 'member disclosures',
        examples: {
          [`member disclosures ${example} --from-at 2026-11-01T00:00:00Z --until-at 2026-11-21T00:00:00Z`]:
            'who saw the person between two instants',
        },
        columns: {
          AT: 'at',
          ACTION: 'action',
          CERTAINTY: 'certainty',
          ACTOR: 'actor',
          ROLE: 'role',
          'COMPANY-TAX-ID': 'company-tax-id',
        },
      },
      summary: 'List who saw a person',
      description:
        'For an incident (LGPD art. 48): disclosures of masked data, downloads of files, exports and shipments to carriers, the newest first. An export ' +
        'has the company, not its people: it is `possible` that the person is in it. Reads of lists and single people are not audited: `readers` are those ' +
        'who could.',
      params: DisclosurePath,
      querystring: DisclosureQuery,
      response: { 200: DisclosureList, ...errorResponses('member-not-found') },
    },
    handler: async ({ params, query }) => {
      const known = await findMember(database, params.memberId)
      if (known.length === 0) throw new ApiError('member-not-found')
      const person = await readSeenPerson(database, known, known[0]?.taxId ?? null)
      const instant = (text: string | undefined) => (text === undefined ? null : new Date(text))
      const period = { from: instant(query['from-at']), until: instant(query['until-at']) }
      const page = await listDisclosures(database, person, period, pageBounds(query))
      return {
        result: JSON.parse(page.items),
        readers: await listReaders(database, person, period).then((readers) =>
          readers.map((reader) => ({ ...reader, 'company-tax-ids': [...reader['company-tax-ids']] })),
        ),
        pagination: pagination(query, page.total),
      }
    },
  })
}
