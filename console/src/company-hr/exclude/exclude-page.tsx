import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { RequestOutcome } from '../../entities/company-hr/request-outcome.tsx'
import { OfPerson } from '../../entities/company-hr/of-person.tsx'
import { Message } from '../../components/state-view.tsx'
import { KeptForm } from '../../forms/kept-draft.tsx'
import { ExcludeForm } from '../../entities/movement-forms/exclude-form.tsx'

const route = getRouteApi('/shell/hr/people/$memberId/exclude')

/** Excludes a person, with all who are covered through it. */
export function ExcludePage() {
  const { t } = useTranslation('hr')
  const { memberId } = route.useParams()
  return (
    <OfPerson memberId={memberId} title={t('exclude')}>
      {(member, company) => {
        const active = member.benefits.filter(
          (benefit) => benefit['company-tax-id'] === company['tax-id'] && benefit.status === 'active',
        )
        if (active.length === 0) return <Message title={t('exclude')}>{t('noActiveBenefit')}</Message>
        return (
          <KeptForm key={memberId} name={`exclude ${company['tax-id']} ${memberId}`}>
            <ExcludeForm
              member={member}
              company={company}
              active={active}
              sent={(accepted, names) => (
                <RequestOutcome requestId={accepted['request-id']} names={names}>
                  <ButtonLink to="/hr/people">{t('backToPeople')}</ButtonLink>
                </RequestOutcome>
              )}
            />
          </KeptForm>
        )
      }}
    </OfPerson>
  )
}
