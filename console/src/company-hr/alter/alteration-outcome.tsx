import { Alert, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { RequestOutcome } from '../../entities/company-hr/request-outcome.tsx'

/** What became of an alteration, and the way back to the person. @param props.id of the request, or of the draft that the broker has to confirm. */
export function AlterationOutcome(props: {
  readonly id: string
  readonly isDraft: boolean
  readonly names: ReadonlyMap<string, string>
  readonly memberId: string
}) {
  const { t } = useTranslation(['hr', 'drafts'])
  const { id, isDraft, names, memberId } = props
  const back = (
    <ButtonLink to="/hr/people/$memberId" params={{ memberId }} {...(isDraft && { variant: 'default' })}>
      {t('hr:backToPerson')}
    </ButtonLink>
  )
  if (!isDraft) {
    return (
      <RequestOutcome requestId={id} names={names}>
        {back}
      </RequestOutcome>
    )
  }
  return (
    <Alert role="status" title={t('drafts:sentTitle')} maw="40rem">
      <Stack gap="sm">
        <Text size="sm">{t('drafts:sentText')}</Text>
        <Group>
          <ButtonLink to="/hr/drafts/$draftId" params={{ draftId: id }}>
            {t('drafts:openDraft')}
          </ButtonLink>
          {back}
        </Group>
      </Stack>
    </Alert>
  )
}
