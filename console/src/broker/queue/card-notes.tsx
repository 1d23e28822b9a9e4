import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import type { CardNumbers, Doubt } from './card-numbers.ts'

/** Rows without a counterpart, which are usual where the spreadsheet has more or fewer people than the selection. */
const unmatched: readonly Doubt[] = ['unknown-person', 'no-line']

/** What was understood of the pasted text, what is skipped, and why nothing can be sent yet. */
export function CardNotes(props: {
  readonly numbers: CardNumbers
  /** The number of selected movements. */
  readonly takers: number
  readonly others: number
  readonly onLeaveOut: (keys: readonly string[], isLeftOut: boolean) => void
}) {
  const { t } = useTranslation('queue')
  const { numbers, takers, others, onLeaveOut } = props
  const { rows, matchedBy, headings, ignored, error, lines } = numbers
  const doubtful = rows.filter(({ doubt, isLeftOut }) => doubt !== null && !isLeftOut)
  const without = doubtful.filter(({ doubt }) => doubt !== null && unmatched.includes(doubt))
  return (
    <>
      {others > 0 && <Text size="sm">{t('cards.others', { count: others })}</Text>}
      {lines > 0 && error === null && <Text size="sm">{t(`cards.by.${matchedBy}`)}</Text>}
      {headings.length > 0 && <Note text={t('cards.headings')} data={headings.join(' / ')} />}
      {ignored.length > 0 && <Note text={t('cards.ignored')} data={ignored.join(' / ')} />}
      {error !== null && (
        <Alert color="red" variant="outline" role="alert">
          {t(`cards.errors.${error}`, { lines: formatNumber(lines), movements: formatNumber(takers) })}
        </Alert>
      )}
      {doubtful.length > 0 && (
        <Alert color="red" variant="outline" role="alert">
          <Group justify="space-between">
            <Text size="sm">
              {t('cards.doubtful', { count: doubtful.length, formatted: formatNumber(doubtful.length) })}
            </Text>
            {without.length > 0 && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  onLeaveOut(
                    without.map(({ key }) => key),
                    true,
                  )
                }
              >
                {t('cards.leaveAllOut', { count: without.length, formatted: formatNumber(without.length) })}
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </>
  )
}

function Note({ text, data }: { readonly text: string; readonly data: string }) {
  return (
    <Text size="sm" role="status">
      {text} <Value>{data}</Value>
    </Text>
  )
}
