import { NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberValue } from '../components/value.tsx'
import { isPermitted } from '../session/permissions.ts'
import type { Session } from '../session/session.ts'
import { areaIcons } from './area-icons.ts'
import { areaGroups, areas } from './areas.ts'
import { useWorkCounts } from './use-work-counts.ts'

const CompanySwitch = lazy(() => import('../entities/company-hr/company-switch.tsx'))

/** The areas that the role may see, in their groups, with what is to be done in them. */
export function Navigation({ session, onNavigate }: { readonly session: Session; readonly onNavigate: () => void }) {
  const { t } = useTranslation('shell')
  const counts = useWorkCounts()
  return (
    <div className="nav-groups">
      {session.role === 'company-hr' && (
        <Suspense>
          <CompanySwitch />
        </Suspense>
      )}
      {areaGroups.map((group) => {
        const own = areas.filter((area) => area.group === group && isPermitted(session, area.permission))
        if (own.length === 0) return null
        return (
          <div key={group} role="group" aria-labelledby={`group-${group}`} className="nav-group">
            <div id={`group-${group}`} className="nav-group-name">
              {t(`groups.${group}`)}
            </div>
            {own.map(({ to, name }) => {
              const Icon = areaIcons[name]
              const count = counts[name] ?? 0
              return (
                <NavLink
                  key={to}
                  className="nav-link"
                  renderRoot={(props) => <Link to={to} {...props} />}
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
