import { Text } from '@mantine/core'
import { ApiError } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Value } from '../components/value.tsx'
import type { DecisionOutcome } from './decide.ts'
import { WhoChanged } from './who-changed.tsx'

/** What became of one movement, in the words of the service; of a conflict who was faster, and when. */
export function OutcomeWords({ outcome }: { readonly outcome: DecisionOutcome }) {
  const { t } = useTranslation(['decisions', 'states', 'terms'])
  switch (outcome.kind) {
    case 'done':
      return <Text size="sm">{t('decisions:isDone')}</Text>
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
          <Value>{wordsOf(outcome.sent)}</Value>
        </Text>
      )
    case 'failed': {
      const { error } = outcome
      const words = error instanceof ApiError ? error.body['error'] : undefined
      return (
        <Text size="sm">
          {typeof words === 'string' ? (
            <Value>{wordsOf({ error: words, details: error instanceof ApiError ? error.details : [] })}</Value>
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

interface Refusal {
  readonly error?: string
  readonly details?: readonly { readonly field: string; readonly message?: string }[]
}

/** The sentence, and those of the details where they say more. */
function wordsOf({ error = '', details = [] }: Refusal): string {
  const messages = details.flatMap(({ message }) => message ?? [])
  return messages.length === 0 ? error : messages.join(' ')
}
