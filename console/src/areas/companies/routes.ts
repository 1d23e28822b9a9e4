import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const companiesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/companies',
  component: lazyRouteComponent(() => import('./companies-page.tsx'), 'CompaniesPage'),
})

export const companyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/companies/$taxId',
  component: lazyRouteComponent(() => import('./company-page.tsx'), 'CompanyPage'),
})
