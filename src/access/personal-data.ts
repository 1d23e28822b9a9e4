import type { PersonalData } from '#platform/core/personal-data.ts'

const accounts = 'accounts of people have no CPF'
const technical = 'keys, counters and queues of the service'

/** The tables that this district writes. */
export const personalData = {
  audit: {
    copy: 'read by src/privacy/subject-requests/disclosures.ts',
    account: 'actor address',
    none: 'action target request_trace_id',
  },
  audit_block: { copy: technical, none: 'digests previous hash' },
  audit_head: { copy: technical, none: 'hash mac' },
  audit_pending: { copy: technical },
  authentication_failure: { copy: technical },
  client: { copy: accounts, account: 'id name', none: 'api role' },
  client_secret: { copy: accounts, account: 'client_id', none: 'hash' },
  completed_sign_in: { copy: accounts, none: 'state_hash' },
  operator_session: { copy: accounts, account: 'client_id', none: 'token_hash signed_in_with' },
  passkey: { copy: accounts, account: 'client_id credential_id public_key transports name' },
  person: { copy: accounts, account: 'client_id email password_hash link_hash sign_in_networks' },
  signing_key: { copy: technical, none: 'id algorithm public_key private_key' },
  entitlement: { copy: 'read by src/privacy/subject-requests/disclosures.ts', account: 'client_id' },
} as const satisfies PersonalData
