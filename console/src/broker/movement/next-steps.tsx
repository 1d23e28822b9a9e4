import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { CorrectBenefitDialog } from '../../entities/benefits/correct-benefit-dialog.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Movement } from './comparison.ts'
import { SecondCardDialog } from './second-card-dialog.tsx'

/** What can be done once a movement is completed. */
export function NextSteps({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('review')
  const [asked, setAsked] = useState<'correct' | 'second-card' | null>(null)
  const mayCorrect = usePermission('correctBenefit')
  const mayAskForCard = usePermission('requestSecondCard')
  const benefit = movement.family.find((one) => one.benefit['benefit-id'] === movement['benefit-id'])?.benefit
  if (movement.status !== 'completed' || benefit === undefined) return null
  const close = () => setAsked(null)
  return (
    <Group component="nav" gap="xs" mb="md" className="no-print" aria-label={t('nextSteps')}>
      {mayCorrect && benefit.status !== 'pending' && (
        <Button size="xs" variant="default" onClick={() => setAsked('correct')}>
          {t('correct')}
        </Button>
      )}
      {mayAskForCard && benefit.status === 'active' && (
        <Button size="xs" variant="default" onClick={() => setAsked('second-card')}>
          {t('secondCard')}
        </Button>
      )}
      <ButtonLink to="/members/$memberId" params={{ memberId: movement['member-id'] }} size="xs" variant="default">
        {t('openMember')}
      </ButtonLink>
      {asked === 'correct' && <CorrectBenefitDialog benefit={benefit} onClose={close} />}
      {asked === 'second-card' && (
        <SecondCardDialog memberId={movement['member-id']} benefitId={benefit['benefit-id']} onClose={close} />
      )}
    </Group>
  )
}
