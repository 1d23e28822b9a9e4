import { Text } from '@mantine/core'
import { ApiError } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { useIsUndone } from './held-decisions.ts'
import type { DecisionOutcome } from './decide.ts'
import { errorWords } from '../../components/error-words.ts'
import { WhoChanged } from './who-changed.tsx'

/** What became of one movement, in the words of the service; of a conflict who was faster, and when. */
export function OutcomeWords({ outcome }: { readonly outcome: DecisionOutcome }) {
  const { t } = useTranslation(['decisions', 'states', 'terms'])
  switch (outcome.kind) {
    case 'done':
      return <Text size="sm">{t('decisions:isDone')}</Text>
    case 'held':
      return <HeldWords jobId={outcome.jobId} />
    case 'undone':
      return <Text size="sm">{t('decisions:isUndone')}</Text>
    case 'already':
    case 'conflict':
      return (
        <Text size="sm">
          {t(`decisions:${outcome.kind}`)} <WhoChanged id={outcome.movement.id} />
        </Text>
      )
    case 'refused':
      return (
        <Text size="sm">
          <Value>{errorWords(outcome.sent)}</Value>
        </Text>
      )
    case 'failed': {
      const { error } = outcome
      return (
        <Text size="sm">
          {error instanceof ApiError ? (
            <Value>{errorWords({ error: error.message, code: error.code, details: error.details })}</Value>
          ) : (
            t('states:connection')
          )}
        </Text>
      )
    }
    default:
      return outcome satisfies never
  }
}

function HeldWords({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation('decisions')
  return <Text size="sm">{t(useIsUndone(jobId) ? 'isUndone' : 'isHeld')}</Text>
}
