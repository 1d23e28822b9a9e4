import type { PersonalData } from '#platform/core/personal-data.ts'

const settings = 'settings of companies, contracts and the installation'
const technical = 'keys, counters and queues of the service'
const events = 'ids and statuses only'

/** The tables that this district writes. */
export const personalData = {
  event: { copy: events, erased: 'data', replacedOfPeople: 'data', none: 'type' },
  event_batch: { copy: technical },
  mail: { copy: events, account: 'recipient_id', none: 'kind secret counts period status error' },
  mail_preference: { copy: settings, account: 'client_id', none: 'language frequencies' },
  webhook_delivery: { copy: events, none: 'status error' },
  webhook_endpoint: { copy: settings, account: 'client_id url', none: 'event_types status disabled_reason url_hash' },
  webhook_fan_out: { copy: technical, account: 'client_id' },
  webhook_secret: { copy: technical, none: 'encrypted_secret' },
  webhook_test_event: { copy: events, account: 'client_id', none: 'type data' },
} as const satisfies PersonalData
