import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Forbidden, NotFound } from '../components/state-view.tsx'
import { isPermitted } from '../session/permissions.ts'
import { sessionQuery } from '../session/session.ts'
import { areas } from './areas.ts'
import { scriptOfPage } from './script-of-page.ts'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFound })

/** Text of the address, where it has some. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ redirect: to, error }: Record<string, unknown>): { redirect?: string; error?: string } => ({
    // Only a path of the console: a link from elsewhere must not lead away after the sign-in.
    ...(text(to)?.match(/^\/(?![/\\])/) ? { redirect: text(to) as string } : {}),
    ...(text(error) === undefined ? {} : { error: text(error) as string }),
  }),
  component: lazyRouteComponent(() => scriptOfPage(import('../sign-in/sign-in-page.tsx')), 'SignInPage'),
})

/** The page for an invitation, or for who forgot the password. */
export const passwordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password',
  component: lazyRouteComponent(() => scriptOfPage(import('../sign-in/password-page.tsx')), 'PasswordPage'),
})

/** Everything that needs a session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { redirect: location.href } })
  },
  component: lazyRouteComponent(() => scriptOfPage(import('./shell.tsx')), 'Shell'),
})

/** Where the work of the role begins: in the first area that it may see, for finance in the invoices. */
export const indexRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: ({ context: { queryClient } }) => {
    const session = queryClient.getQueryData(sessionQuery.queryKey) ?? null
    const first = areas.find(({ permission }) => session !== null && isPermitted(session, permission))
    if (session?.role === 'finance') throw redirect({ to: '/invoices' })
    if (first !== undefined) throw redirect({ to: first.to })
  },
  // The page for a role without areas.
  component: Forbidden,
})
