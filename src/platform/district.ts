import type { District } from './http/district.ts'
import { deleteOldKeys } from './http/idempotency/queries.ts'
import { deleteOldCounts } from './http/limits/rate-limit-queries.ts'

const hour = 3_600_000

const maxKeysPerDelete = 1_000

export const platform = {
  tasks: [
    {
      kind: 'task-idempotency-keys',
      everyMs: hour,
      errorMessage: 'old idempotency keys could not be deleted',
      run: async ({ database }) => {
        while ((await deleteOldKeys(database, maxKeysPerDelete)) > 0);
        await deleteOldCounts(database)
      },
    },
  ],
} as const satisfies District
