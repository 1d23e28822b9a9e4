import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OfPerson } from '../../entities/company-hr/of-person.tsx'
import { PlanForm } from '../../entities/movement-forms/plan-form.tsx'
import { AlterationOutcome } from './alteration-outcome.tsx'
import { WhereAltered } from './where-altered.tsx'

const route = getRouteApi('/shell/hr/people/$memberId/plan')

/** Moves a primary, with the dependents, to another plan of the company. */
export function PlanPage() {
  const { t } = useTranslation('hr')
  const { memberId } = route.useParams()
  return (
    <OfPerson memberId={memberId} title={t('changePlan')}>
      {(member, company) => (
        <WhereAltered>
          {(throughBroker) => (
            <PlanForm
              key={memberId}
              member={member}
              company={company}
              sent={(accepted, names) => (
                <AlterationOutcome
                  id={accepted['request-id']}
                  isDraft={throughBroker}
                  names={names}
                  memberId={memberId}
                />
              )}
            />
          )}
        </WhereAltered>
      )}
    </OfPerson>
  )
}
