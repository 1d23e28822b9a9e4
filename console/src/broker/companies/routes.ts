import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const companiesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/companies',
  // A CNPJ of digits that was written into the address is read as a number.
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    (typeof q === 'string' && q !== '') || typeof q === 'number' ? { q: String(q) } : {},
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./companies-page.tsx'))), 'CompaniesPage'),
})

export const newCompanyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/companies/new',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./new-company-page.tsx'))), 'NewCompanyPage'),
})

export const companyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/companies/$taxId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./company-page.tsx'))), 'CompanyPage'),
})

export const editCompanyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/companies/$taxId/edit',
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./edit-company-page.tsx'))),
    'EditCompanyPage',
  ),
})
