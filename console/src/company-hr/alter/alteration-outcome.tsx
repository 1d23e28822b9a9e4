import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { RequestOutcome } from '../../entities/company-hr/request-outcome.tsx'

/** What became of an alteration, and the way back to the person. */
export function AlterationOutcome(props: {
  readonly requestId: string
  readonly names: ReadonlyMap<string, string>
  readonly memberId: string
}) {
  const { t } = useTranslation('hr')
  const { requestId, names, memberId } = props
  return (
    <RequestOutcome requestId={requestId} names={names}>
      <ButtonLink to="/hr/people/$memberId" params={{ memberId }}>
        {t('backToPerson')}
      </ButtonLink>
    </RequestOutcome>
  )
}
