import { searchText } from '#platform/http/search-parameter.ts'
import { type Static, Type } from 'typebox'
import { DELIVERY_CHANNELS } from '../rules/channel.ts'
import { DELIVERY_STATUSES } from '#events/rules/webhook.ts'
import { CANCELLED_ITEM_REASONS, ITEM_SIDES, ITEM_STATUSES, SHIPMENT_STATUSES } from '#kernel/broker-enums.ts'
import { BENEFICIARY_TYPES, ENROLLMENT_STATUSES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import { ITEM_PROBLEMS } from '#registry/layouts/types.ts'
import { filters } from '#platform/http/filters.ts'
import { PageOf } from '#platform/http/page.ts'
import {
  Closed,
  Cnpj,
  Code,
  Cpf,
  DateOnly,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { ClientId } from '#access/clients/accounts.ts'

/** The path parameter of a shipment. */
export const ShipmentPath = Type.Object({ shipmentId: { ...Uuid, description: 'From the list of shipments.' } })

export const ShipmentQuery = Closed({
  'contract-id': Type.Optional({ ...Uuid, description: 'Of one contract.' }),
  'company-tax-id': filters.company,
  status: Type.Optional(OneOf(SHIPMENT_STATUSES, { description: 'Default: every status.' })),
  q: Type.Optional({
    ...searchText(''),
    description:
      'A part of the carrier’s protocol, without case and accents, or the number, which may stand after a word: `remessa 12`; at least 3 characters.',
  }),
  ...pageQuery,
})

const Count = Type.Integer({ minimum: 0 })
const CarrierProtocol = Code(60, 'What the carrier calls the shipment by.', ['2026-118840'])

const Counts = Type.Object({
  ready: Nullable({ ...Count, description: 'Those that the file has; null in a list while the shipment is open.' }),
  'not-ready': Nullable({ ...Count, description: 'Those with problems, of an open shipment; null in a list.' }),
  waiting: { ...Count, description: 'The movements that an open shipment has now.' },
  sent: { ...Count, description: 'Those that the carrier has not answered.' },
  accepted: Count,
  refused: Count,
  unanswered: Count,
  cancelled: Count,
})

const File = Type.Object({
  name: Type.String(),
  'media-type': Type.String(),
  size: { ...Count, description: 'Bytes.' },
  sha256: Type.String({ description: 'Of the bytes, in hexadecimal digits.' }),
})

export const Shipment = Named(
  'Shipment',
  Type.Object({
    'shipment-id': Uuid,
    'contract-id': Uuid,
    'company-tax-id': Cnpj,
    'company-name': Type.String(),
    'carrier-name': Text,
    'contract-number': Type.String(),
    'sub-contract': Type.String(),
    number: Type.Integer({ minimum: 1, description: 'Within the contract, without gaps.' }),
    status: OneOf(SHIPMENT_STATUSES),
    'cut-off-date': Nullable({
      ...DateOnly,
      description: 'The next one of the contract while the shipment is open, then fixed; null without a calendar.',
    }),
    'coverage-start': Nullable({ ...DateOnly, description: 'On which the cover of its movements starts.' }),
    'layout-id': Nullable(Type.String({ description: 'Of the file.' })),
    'layout-version': Nullable(Type.Integer()),
    'carrier-protocol': Nullable(CarrierProtocol),
    'sent-at': Nullable(Timestamp),
    'sent-by': Nullable(ClientId),
    'answer-until': Nullable({
      ...DateOnly,
      description: 'The day until which the carrier should answer: `answer-within-business-days` of the contract.',
    }),
    'created-at': Timestamp,
    'closed-at': Nullable(Timestamp),
    'finished-at': Nullable(Timestamp),
    file: Nullable(File),
    counts: Counts,
  }),
)
export type ShipmentData = Static<typeof Shipment>

const Problem = Type.Object({
  code: OneOf(ITEM_PROBLEMS),
  field: Type.String({ description: 'What the column is made of, such as `person.name`.' }),
  column: Type.String({ description: 'The column of the layout.' }),
  'benefit-id': Nullable({
    ...Uuid,
    description:
      'Of a dependent who moves along with the primary of a plan change: the former benefit. Null: of the movement itself.',
  }),
  message: Type.String({ description: 'What is wrong, and what to do, in the language of `Accept-Language`.' }),
})

const Item = Named(
  'ShipmentItem',
  Type.Object({
    'enrollment-id': Uuid,
    'enrollment-type': OneOf(MOVEMENT_KINDS),
    'enrollment-status': OneOf(ENROLLMENT_STATUSES),
    'member-type': OneOf(BENEFICIARY_TYPES),
    'member-name': Type.String(),
    'member-tax-id': Cpf,
    'product-id': Uuid,
    'product-name': Type.String(),
    position: Nullable(Type.Integer({ minimum: 1, description: 'In the file; null where it is not in it.' })),
    status: OneOf(ITEM_STATUSES, { description: '`not-ready`: with problems, in an open shipment.' }),
    reason: Nullable(OneOf(CANCELLED_ITEM_REASONS, { description: 'Why it is cancelled.' })),
    problems: Type.Array(Problem, { description: 'Why the file cannot have it.' }),
    'line-numbers': Type.Array(Type.Integer(), { description: 'Its lines of the file, from 1.' }),
    sheets: Type.Array(Type.String(), { description: 'Of a workbook the sheet of each of these lines.' }),
    'carrier-protocol': Nullable(Type.String()),
    'carrier-code': Nullable(Type.String({ description: 'Of the carrier’s latest answer.' })),
    'carrier-message': Nullable(Type.String()),
    side: Nullable(
      OneOf(ITEM_SIDES, {
        description:
          'Of a change of company, or of plan to another contract: `joining` is an inclusion for the new carrier, `leaving` an exclusion for the ' +
          'former one, which joins its shipment once the new carrier has accepted. The joining side of a change of company is in a shipment of the ' +
          'destination.',
      }),
    ),
    'waits-for-primary': Type.Boolean({
      description: 'The carrier has accepted it; it is completed when its primary is (`primary-member-not-active`).',
    }),
  }),
)

/** A page of items. */
export const ItemList = PageOf(Item, 'A page of items.')

export const CloseBody = Closed(
  {
    'skip-not-ready': Type.Optional(
      Type.Boolean({ description: 'Whether movements with problems wait for the next shipment. Default: `false`.' }),
    ),
  },
  { examples: [{ 'skip-not-ready': true }] },
)

export const SendBody = Closed(
  {
    'sent-at': Type.Optional(
      Nullable({ ...Timestamp, description: 'When the carrier got the file, not in the future. Default: now.' }),
    ),
    'carrier-protocol': Type.Optional(Nullable(CarrierProtocol)),
  },
  { examples: [{ 'carrier-protocol': '2026-118840' }] },
)

const Delivery = Named(
  'ShipmentDelivery',
  Type.Object({
    attempt: Type.Integer({ minimum: 1 }),
    channel: OneOf(DELIVERY_CHANNELS),
    status: OneOf(DELIVERY_STATUSES, { description: '`pending`: it waits for its time, or is being made.' }),
    'response-status': Nullable(Type.Integer({ description: 'Of a connector; null when there was no response.' })),
    error: Nullable(
      Type.String({
        description:
          'A code such as `timeout`, `host-key-changed`, `not-authenticated`; null when the status alone shows the result. With `answer-` first: of a ' +
          'file in the `in-folder` that could not be used.',
      }),
    ),
    'requested-by': ClientId,
    'attempted-at': Nullable(Timestamp),
    'next-attempt-at': Nullable({
      ...Timestamp,
      description: 'Of a pending attempt, and of a failed one that of the next; null when there is none.',
    }),
  }),
)

/** A page of the attempts to deliver a shipment. */
export const DeliveryList = PageOf(Delivery, 'A page of attempts, the latest first.')

export const ItemPath = Type.Object({
  shipmentId: ShipmentPath.properties.shipmentId,
  position: Type.String({ pattern: '^[1-9]\\d{0,4}$', description: 'The position of the item.', examples: ['3'] }),
})

export const ItemProtocolBody = Closed(
  { 'carrier-protocol': Nullable(CarrierProtocol) },
  { examples: [{ 'carrier-protocol': '2026-118840' }] },
)
