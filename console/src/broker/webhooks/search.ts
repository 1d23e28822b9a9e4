import { EVENT_TYPES } from '../../../../src/kernel/events.ts'
import { DELIVERY_STATUSES } from '../../../../src/events/rules/webhook.ts'
import { oneOf, searchOf, text } from '../../lists/search.ts'

/** The filters of the deliveries to an endpoint, under the names of the API, and the event that is shown. */
export const endpointSearchOf = searchOf({ type: oneOf(EVENT_TYPES), status: oneOf(DELIVERY_STATUSES), event: text })
export type EndpointSearch = ReturnType<typeof endpointSearchOf>
