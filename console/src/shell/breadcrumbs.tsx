import IconChevronRight from 'icon:chevron-right'
import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../components/link.tsx'
import { areaOf } from './areas.ts'

/** The pages between an area and a page of it, by the route of the page. */
const between = {
  '/carriers/shipments/$shipmentId': { to: '/carriers/shipments', name: 'shipments' },
  '/companies/$taxId/edit': { to: '/companies/$taxId', name: 'company' },
  '/carriers/contracts/$contractId/edit': { to: '/carriers/contracts/$contractId', name: 'contract' },
  '/carriers/contracts/$contractId/channel': { to: '/carriers/contracts/$contractId', name: 'contract' },
  '/carriers/contracts/$contractId/prices/new': { to: '/carriers/contracts/$contractId', name: 'contract' },
  '/carriers/contracts/$contractId/prices/$priceTableId': { to: '/carriers/contracts/$contractId', name: 'contract' },
  '/carriers/contracts/$contractId/contributions/new': { to: '/carriers/contracts/$contractId', name: 'contract' },
  '/carriers/contracts/$contractId/contributions/$ruleId': { to: '/carriers/contracts/$contractId', name: 'contract' },
  '/carriers/shipments/$shipmentId/work-sheet': { to: '/carriers/shipments/$shipmentId', name: 'shipment' },
  '/carriers/layouts/new': { to: '/carriers/layouts', name: 'layouts' },
  '/carriers/layouts/$layoutId': { to: '/carriers/layouts', name: 'layouts' },
  '/carriers/layouts/$layoutId/edit': { to: '/carriers/layouts/$layoutId', name: 'layout' },
  '/decision-jobs/$jobId': { to: '/decision-jobs', name: 'decisionJobs' },
} as const

/** The lists as they were left, with their filters. */
const lastSearch = new Map<string, Readonly<Record<string, unknown>>>()

/** The way from the area to a page of it. The page itself is named by its heading. */
export function Breadcrumbs() {
  const { t } = useTranslation('shell')
  const match = useMatches({ select: (matches) => matches.at(-1) })
  const route = match?.fullPath ?? ''
  const area = areaOf(route)
  const isList = route === area?.to
  useEffect(() => {
    if (isList) lastSearch.set(route, match?.search ?? {})
  }, [isList, route, match?.search])
  // A movement has its own way back, to the place in the queue.
  if (area === undefined || isList || route === '/queue/$enrollmentId') return null
  const parent = Object.hasOwn(between, route) ? between[route as keyof typeof between] : undefined
  return (
    <nav aria-label={t('breadcrumbs')} className="breadcrumbs no-print">
      <TextLink to={area.to} search={(lastSearch.get(area.to) ?? {}) as object}>
        {t(`areas.${area.name}`)}
      </TextLink>
      {parent !== undefined && (
        <>
          <IconChevronRight size={14} aria-hidden />
          <TextLink to={parent.to} params={true as never}>
            {t(`between.${parent.name}`)}
          </TextLink>
        </>
      )}
      <IconChevronRight size={14} aria-hidden />
    </nav>
  )
}
