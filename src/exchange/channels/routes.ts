import { ContractPath } from '#registry/contracts/schema.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { ChannelSettingsBody, ChannelSettingsResponse } from './schema.ts'
import { putChannelSettings, readChannelSettings } from './settings.ts'

const url = '/operator/v1/contract/:contractId/channel'
const id = '01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01'

/** `/operator/v1/contract/{contract-id}/channel`: how the shipments of a contract come to its carrier. */
export async function channelSettingsRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'readContractChannel',
      'x-sdk': 'contracts.channel',
      'x-cli': { command: 'contract channel' },
      summary: 'Read how the shipments of a contract come to its carrier',
      description: 'The settings of its channels, without their secrets.',
      params: ContractPath,
      response: { 200: ChannelSettingsResponse, ...errorResponses('contract-not-found') },
    },
    handler: async (request) => ({ result: await readChannelSettings(context, request.params.contractId) }),
  })

  route(app, {
    method: 'PUT',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'putContractChannel',
      'x-sdk': 'contracts.putChannel',
      'x-cli': {
        command: 'contract put-channel',
        file: true,
        examples: { [`contract put-channel ${id} channel.json`]: 'a new connector gets its secret in the response' },
      },
      summary: 'Replace how the shipments of a contract come to its carrier',
      description:
        'What is left out is removed, except a password and a private key, which stay while host and host key are the same. The `channel` of the ' +
        'contract says which of the channels is used. The secret of a connector verifies the signature of its calls (Standard Webhooks 1.0); it ' +
        'is shown only in the response that made it. The host of a URL or a server is at a public address, as of a webhook endpoint.',
      params: ContractPath,
      response: { 200: ChannelSettingsResponse, ...errorResponses('contract-not-found', 'sftp-not-installed') },
    },
    body: json(ChannelSettingsBody),
    handler: async (request) => {
      const contractId = request.params.contractId
      return { result: await putChannelSettings(context, callerOf(request), contractId, request.body) }
    },
  })
}
