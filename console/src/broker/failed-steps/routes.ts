import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { STEP_STATUSES } from '../../../../src/kernel/steps.ts'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

/** The filter, under the name of the API. */
export interface FailedStepsSearch {
  readonly status?: (typeof STEP_STATUSES)[number]
}

export const failedStepsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/failed-steps',
  validateSearch: (raw: Readonly<Record<string, unknown>>): FailedStepsSearch => {
    const status = STEP_STATUSES.find((one) => one === raw['status'])
    return status === undefined ? {} : { status }
  },
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./failed-steps-page.tsx'))),
    'FailedStepsPage',
  ),
})
