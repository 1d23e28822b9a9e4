import { NavLink, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link, useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberValue } from '../components/value.tsx'
import type { Session } from '../session/session.ts'
import { areaIcons } from './area-icons.ts'
import { areaGroups, areaOf, entriesOf, entryOf } from './areas.ts'
import { useWorkCounts } from './use-work-counts.ts'

const CompanySwitch = lazy(() => import('../entities/company-hr/company-switch.tsx'))

/** The areas that the role may see, in their groups, with what is to be done in them. */
export function Navigation({ session, onNavigate }: { readonly session: Session; readonly onNavigate: () => void }) {
  const { t } = useTranslation('shell')
  const counts = useWorkCounts()
  const area = useMatches({ select: (matches) => areaOf(matches.at(-1)?.fullPath ?? '') })
  const [current] = (area === undefined ? undefined : entryOf(session, area)) ?? []
  const [closed, setClosed] = useLocalStorage<readonly string[]>({ key: 'vigencia-closed-groups', defaultValue: [] })
  const entries = entriesOf(session)
  return (
    <div className="nav-groups">
      {session.role === 'company-hr' && (
        <Suspense>
          <CompanySwitch />
        </Suspense>
      )}
      {areaGroups.map((group) => {
        const own = entries.filter(([first]) => first.group === group)
        if (own.length === 0) return null
        const isClosed = closed.includes(group)
        return (
          <div key={group} role="group" aria-labelledby={`group-${group}`} className="nav-group">
            <UnstyledButton
              id={`group-${group}`}
              className="nav-group-name"
              aria-expanded={!isClosed}
              onClick={() => setClosed(isClosed ? closed.filter((one) => one !== group) : [...closed, group])}
            >
              {t(`groups.${group}`)}
            </UnstyledButton>
            {!isClosed &&
              own.map((entry) => {
                const [{ name, to }] = entry
                const Icon = areaIcons[name]
                const count = entry.reduce((sum, one) => sum + (counts[one.name] ?? 0), 0)
                return (
                  <NavLink
                    key={to}
                    className="nav-link"
                    renderRoot={(props) => (
                      <Link
                        to={to}
                        activeOptions={{ exact: to === '/hr' }}
                        {...props}
                        {...(name === current?.name ? { 'aria-current': 'page' } : {})}
                      />
                    )}
                    label={t(`areas.${name}`)}
                    leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
                    rightSection={
                      count > 0 && (
                        <span className="nav-count">
                          <NumberValue value={count} />
                        </span>
                      )
                    }
                    onClick={onNavigate}
                  />
                )
              })}
          </div>
        )
      })}
    </div>
  )
}
