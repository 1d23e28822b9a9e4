import { Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../format/number.ts'
import type { RequestStatus } from '../../../../src/kernel/enums.ts'
import type { PartCounts } from './parts.ts'

/** The parts that are done and left. A live region tells the end, not each step. */
export function RequestProgress({ status, counts }: { readonly status: RequestStatus; readonly counts: PartCounts }) {
  const { t } = useTranslation(['request', 'terms'])
  const { created, failed, processing, total } = counts
  const share = (count: number) => (total === 0 ? 0 : (100 * count) / total)
  const sections = [
    ['created', 'green.9', created],
    ['failed', 'red.9', failed],
  ] as const
  return (
    <section aria-label={t('progress')}>
      <Stack gap={6}>
        <Progress.Root size="lg">
          {sections.map(([name, color, count]) => (
            <Progress.Section
              key={name}
              color={color}
              value={share(count)}
              aria-label={t(name, { count, formatted: formatNumber(count) })}
            />
          ))}
        </Progress.Root>
        <Text size="sm">
          {[
            t('created', { count: created, formatted: formatNumber(created) }),
            t('failed', { count: failed, formatted: formatNumber(failed) }),
            ...(processing === 0 ? [] : [t('left', { count: processing, formatted: formatNumber(processing) })]),
          ].join(' · ')}
        </Text>
        <Text size="sm" role="status">
          {status === 'processing' ? t('isProcessing') : t(`ended.${status}`)}
        </Text>
      </Stack>
    </section>
  )
}
