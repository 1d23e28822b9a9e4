import { ApiError } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent } from '#platform/http/download.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { LOGO_TYPES } from '../rules/settings.ts'
import { putSettings } from './put.ts'
import { readBrand, readLogo, readBrokerSettings } from './queries.ts'
import { Brand, BrokerSettings, BrokerSettingsBody, LogoQuery } from './schema.ts'

const url = '/operator/v1/settings'

/** `/operator/v1/settings`: what a broker sets of its installation; `/operator/v1/brand`: what everybody sees of it. */
export async function settingsRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'readSettings',
      'x-sdk': 'settings.get',
      'x-cli': { command: 'settings show' },
      summary: 'Read the settings of the installation',
      description: 'Name and logo of the broker, and the reasons that the console offers for decisions.',
      response: { 200: BrokerSettings },
    },
    handler: async () => ({ result: (await readBrokerSettings(database)) as never }),
  })
  route(app, {
    method: 'PUT',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'putSettings',
      'x-sdk': 'settings.put',
      'x-cli': {
        command: 'settings put',
        file: true,
        examples: { 'settings put settings.json': 'the file is the body of the PUT' },
      },
      summary: 'Replace the settings of the installation',
      description: 'All of them; what is absent is as null. Everybody sees name and logo, also before the sign-in.',
      response: { 200: BrokerSettings },
    },
    body: json(BrokerSettingsBody),
    handler: async (request) => {
      await putSettings(context, callerOf(request), request.body)
      return { result: (await readBrokerSettings(database)) as never }
    },
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/brand',
    schema: {
      operationId: 'readBrand',
      'x-sdk': 'settings.brand',
      tags: ['operator'],
      summary: 'Read the name and the logo of the broker',
      description: 'Without authentication: the pages of the sign-in and of onboarding links show them.',
      response: { 200: Brand, ...errorResponses('unavailable') },
    },
    handler: async () => ({ result: await readBrand(database) }),
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/brand/logo',
    schema: {
      operationId: 'readLogo',
      'x-sdk': 'settings.logo',
      tags: ['operator'],
      summary: 'Read the logo of the broker',
      description: 'Without authentication. An image for an `img` element: browsers run nothing in it.',
      querystring: LogoQuery,
      response: {
        200: { description: 'The image.', content: binaryContent(LOGO_TYPES) },
        ...errorResponses('not-found', 'unavailable'),
      },
    },
    handler: async (_request, reply) => {
      const logo = await readLogo(database)
      if (logo === null) throw new ApiError('not-found')
      void reply.headers({
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        // The path that the brand names is another one for another logo.
        'cache-control': 'public, max-age=3600',
      })
      return reply.type(logo.type).send(logo.bytes)
    },
  })
}
