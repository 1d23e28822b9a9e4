import { Alert, List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../format/number.ts'
import type { RosterSync } from './client.ts'

/** Those of which the numbers say more than the sentence. */
const counted = {
  'too-few-people': 'percent',
  'many-refused-lines': 'most',
  'many-identity-conflicts': 'most',
  'suspicious-text': 'most',
  'count-differs': 'lines',
} as const

type Doubt = RosterSync['doubts'][number]

/** What may be a mistake in a list, each with what was found. @param props.children what can be done about it. */
export function Doubts({ doubts, children }: { readonly doubts: readonly Doubt[]; readonly children: ReactNode }) {
  const { t } = useTranslation(['rosters', 'terms'])
  if (doubts.length === 0) return null
  return (
    <Alert color="orange" variant="outline" title={t('rosters:doubts')} role="region" aria-label={t('rosters:doubts')}>
      <List size="sm" spacing={4}>
        {doubts.map((one) => (
          <List.Item key={one.doubt}>
            {t(`terms:rosterDoubt.${one.doubt}`)} <FoundText {...one} />
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {t('rosters:doubtsHelp')}
      </Text>
      {children}
    </Alert>
  )
}

function FoundText({ doubt, found, limit }: Doubt) {
  const { t } = useTranslation('rosters')
  const kind = Object.hasOwn(counted, doubt) ? counted[doubt as keyof typeof counted] : null
  if (kind === null) return null
  return <>{t(`found.${kind}`, { found: formatNumber(found), limit: formatNumber(limit) })}</>
}
