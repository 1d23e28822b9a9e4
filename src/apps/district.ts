import type { District } from '#platform/http/district.ts'
import { analyzeGrownTables } from '#platform/core/analyze-tables.ts'
import { traced } from '#platform/http/context.ts'
import { counted } from '#platform/steps/attempts.ts'
import { writeDigests } from './digests/write-digests.ts'
import { processDueWork } from './worker/due-work.ts'
import { homeRoutes } from './http/docs/home-routes.ts'
import { docsRoutes } from './http/docs/routes.ts'
import { consoleRoutes } from './http/console/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { invoiceStatisticsRoute } from './statistics/invoice-routes.ts'
import { failedStepRoutes } from './failed-steps/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { clockRoutes } from './clock/routes.ts'

const second = 1_000

export const apps = {
  routes: [
    homeRoutes,
    docsRoutes,
    consoleRoutes,
    statisticsRoutes,
    invoiceStatisticsRoute,
    failedStepRoutes,
    clockRoutes,
    searchRoutes,
  ],
  tasks: [
    {
      kind: 'task-due-work',
      everyMs: 5 * second,
      errorMessage: 'the work that is due could not be done',
      run: async (context, signal) => {
        await analyzeGrownTables(context.database)
        await traced(context, 'worker clock', () => processDueWork(context, signal, counted(context)))
      },
    },
    {
      kind: 'task-digests',
      everyMs: 60 * second,
      errorMessage: 'digests could not be written',
      run: (context) => writeDigests(context),
    },
  ],
} as const satisfies District
