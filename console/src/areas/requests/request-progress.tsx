import { Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../format/number.ts'
import { countsOf, type Request } from './parts.ts'

/** The parts that are done and left. A live region tells the end, not each step. */
export function RequestProgress({ request }: { readonly request: Request }) {
  const { t } = useTranslation(['request', 'terms'])
  const { created, failed, processing, total } = countsOf(request)
  const share = (count: number) => (total === 0 ? 0 : (100 * count) / total)
  const isProcessing = request.status === 'processing'
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
          {isProcessing
            ? t('isProcessing')
            : t(`ended.${request.status === 'processing' ? 'completed' : request.status}`)}
        </Text>
      </Stack>
    </section>
  )
}
