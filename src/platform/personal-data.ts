import type { PersonalData } from './core/personal-data.ts'

const technical = 'keys, counters and queues of the service'

/** The tables that this district writes. */
export const personalData = {
  encrypted_key: { copy: technical, none: 'name value' },
  idempotency_key: {
    copy: 'encrypted responses of a day',
    passing: 'encrypted_response',
    account: 'client_id',
    none: 'key_hash fingerprint',
  },
  stored_response_usage: { copy: technical, account: 'client_id' },
  migration: { copy: technical, none: 'name digest' },
  orphan_file: { copy: technical, none: 'key' },
  rate_limit_usage: { copy: technical, account: 'client_id', none: 'class' },
  service_metadata: { copy: technical, none: 'name value' },
  work: { copy: technical, account: 'client_id', none: 'kind reason error' },
  work_client: { copy: technical, account: 'client_id' },
} as const satisfies PersonalData
