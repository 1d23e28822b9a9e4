import type { PersonalData } from '#platform/core/personal-data.ts'

/** The tables that this district writes. */
export const personalData = {
  subject_request: {
    copy: 'read by src/privacy/subject-requests/person-data.ts',
    erased: 'tax_id open_tax_id note cancel_reason',
    searched: 'note cancel_reason',
    account: 'created_by',
    none: 'kind status file_key',
  },
  erasure: {
    copy: 'the plan of an erasure, without who it was',
    replaced: 'mentions',
    account: 'planned_by approved_by',
    none: 'plan remaining failure',
  },
} as const satisfies PersonalData
