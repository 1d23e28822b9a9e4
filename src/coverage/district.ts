import type { District } from '#platform/http/district.ts'
import { benefitRoutes } from './benefits/routes.ts'
import { enrollmentRoutes, historyRoutes } from './enrollments/routes.ts'
import { exclusionNoticeRoutes } from './enrollments/exclusion-notice-routes.ts'
import { memberRoutes, memberDetailRoutes } from './members/partner-routes.ts'
import { continuationRoutes, operatorContinuationRoutes } from './continuations/routes.ts'
import { continuationLetterRoutes } from './continuations/letter-routes.ts'
import { memberReadRoutes } from './members/routes.ts'

export const coverage = {
  routes: [
    enrollmentRoutes,
    exclusionNoticeRoutes,
    historyRoutes,
    memberRoutes,
    memberDetailRoutes,
    benefitRoutes,
    continuationRoutes,
    continuationLetterRoutes,
    operatorContinuationRoutes,
    memberReadRoutes,
  ],
} as const satisfies District
