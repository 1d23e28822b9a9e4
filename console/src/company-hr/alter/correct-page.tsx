import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OfPerson } from '../../entities/company-hr/of-person.tsx'
import { CorrectForm } from '../../entities/movement-forms/correct-form.tsx'
import { AlterationOutcome } from './alteration-outcome.tsx'
import { WhereAltered } from './where-altered.tsx'

const route = getRouteApi('/shell/hr/people/$memberId/correct')

/** Corrects registration data of a person. */
export function CorrectPage() {
  const { t } = useTranslation('hr')
  const { memberId } = route.useParams()
  return (
    <OfPerson memberId={memberId} title={t('correct')}>
      {(member, company) => (
        <WhereAltered>
          {(throughBroker) => (
            <CorrectForm
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
