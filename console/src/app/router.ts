import type { QueryClient } from '@tanstack/react-query'
import { createRouter, stringifySearchWith } from '@tanstack/react-router'
import { brokerRoutes } from '../broker/routes.ts'
import { companyHrRoutes } from '../company-hr/routes.ts'
import { PageError } from '../components/state-view.tsx'
import { page } from '../shell/page.ts'
import { indexRoute, passwordRoute, rootRoute, shellRoute, signInRoute } from '../shell/root-routes.ts'

const routeTree = rootRoute.addChildren([
  signInRoute,
  passwordRoute,
  shellRoute.addChildren([
    indexRoute,
    page('/account', () => import('../account/account-page.tsx'), 'AccountPage'),
    ...Object.values(brokerRoutes),
    ...Object.values(companyHrRoutes),
  ]),
])

/** Digits stay text: a CNPJ is no number. The router's own reader makes one of it, which a request with it in its body is refused for. */
const readAddress = (search: string) =>
  Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, value === 'true' || value]))

/** The pages of the console. Filters and positions are in the address. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { queryClient },
    parseSearch: readAddress,
    stringifySearch: stringifySearchWith(JSON.stringify),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: PageError,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
