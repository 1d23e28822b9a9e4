import { Type } from 'typebox'
import { Contract, contractExample } from '#registry/contracts/schema.ts'
import { Named, Nullable, Uuid } from '#platform/http/schemas.ts'
import { sentHeader } from '#events/webhooks/event-schema.ts'

const { calendar: _, contacts: __, 'next-cut-off': ___, ...contractFields } = Contract.properties
const { calendar: ____, contacts: _____, 'next-cut-off': ______, ...contract } = contractExample

/** What a connector is sent. */
export const ConnectorCall = Named(
  'ConnectorCall',
  Type.Object({
    'shipment-id': Uuid,
    number: Type.Integer({ minimum: 1, description: 'Of the shipment, in its contract.' }),
    contract: Type.Object({
      ...contractFields,
      'acknowledgement-mapping': Nullable(Type.Object({}, { description: 'As of the contract.' })),
    }),
    'file-sha256': Type.String({ description: 'Of the file of the shipment, in hexadecimal digits.' }),
    items: Type.Array(
      Type.Object({
        'enrollment-id': Uuid,
        position: Type.Integer({ minimum: 1 }),
        movement: Type.String({ description: 'As the source `movement.kind` of layouts.' }),
        values: Type.Object(
          {},
          {
            additionalProperties: Type.String(),
            description: 'All that layouts know of the movement, by source. Absent: it has none.',
          },
        ),
        dependents: Type.Array(Type.Object({ values: Type.Object({}, { additionalProperties: Type.String() }) }), {
          description:
            'Of a plan change to another contract: the dependents who move along with the primary, as their lines of the file.',
        }),
      }),
    ),
  }),
)

const shipmentId = '01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32'
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const value = {
  'shipment-id': shipmentId,
  number: 3,
  contract: { ...contract, channel: 'connector' },
  'file-sha256': sha256,
  items: [
    {
      'enrollment-id': '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45',
      position: 1,
      movement: 'inclusion',
      values: {
        'contract.number': '900001',
        'movement.kind': 'inclusion',
        'movement.beneficiary-type': 'primary',
        'movement.position': '1',
        'person.name': 'Helena Brandão Souza',
        'person.tax-id': '52998224725',
        'plan.carrier-plan-code': 'AE1230',
        'shipment.number': '3',
      },
      dependents: [],
    },
  ],
}

const headers = [
  sentHeader('webhook-id', 'The id of the shipment: the same for every attempt.'),
  sentHeader('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
  sentHeader('webhook-signature', 'Standard Webhooks 1.0: `v1,` and a signature with the secret of the contract.'),
  sentHeader(
    'idempotency-key',
    'The id of the shipment, `:` and `file-sha256`: other than the `webhook-id`, it changes when the shipment is closed again with another file.',
  ),
]

/** In the section `webhooks` of the OpenAPI document: the call of a contract’s connector. */
export function describeConnectorCall(): Record<string, object> {
  const post = {
    operationId: 'callConnector',
    tags: ['operator'],
    security: [],
    summary: 'A shipment is delivered to the connector of its contract',
    description:
      'The connector takes it to the carrier, and answers 2xx once the carrier has it: the shipment is sent then. A repeated `idempotency-key` must ' +
      'not be taken twice.',
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ConnectorCall, examples: { shipment: { value } } } },
    },
    responses: {
      '2XX': {
        description: 'The carrier has the shipment. The body may be empty.',
        content: {
          'application/json': {
            schema: Type.Object({
              'carrier-protocol': Type.Optional(
                Type.String({ description: 'Of 1 to 60 ASCII characters; any other is not stored.' }),
              ),
            }),
            examples: { protocol: { value: { 'carrier-protocol': '2026-118840' } } },
          },
        },
      },
      '4XX': { description: 'Refused: it is not tried again. Except 408 and 429, which are tried again.' },
      '5XX': { description: 'Tried again, as no response within 60 seconds is.' },
    },
  }
  return { 'shipment.connector': { post } }
}
