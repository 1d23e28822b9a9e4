import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { saveFile } from '../../components/save-file.ts'
import { toCsv } from '../../format/csv.ts'
import { formatNumber } from '../../format/number.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { currentLanguage } from '../../language/language.ts'
import { offenseText } from '../../components/offense-texts.ts'
import { FailureList } from '../../entities/requests/failure-list.tsx'
import type { Part, Request } from '../../entities/requests/parts.ts'
import { focusParts } from './request-parts.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

/** Why parts failed, in words, and the failed lines as a file. Nothing while none failed. */
export function FailedParts({ request, parts }: { readonly request: Request; readonly parts: readonly Part[] }) {
  const { t } = useTranslation('request')
  if (parts.length === 0) return null
  const textOf = (offense: string) => offenseText(offense, request['request-type'], currentLanguage())
  const save = () => {
    const header = [t('cpf'), t('product'), t('codes'), t('reason')]
    const rows = parts.map(({ taxId, product, offenses = [] }) => [
      formatCpf(taxId),
      product,
      offenses.join(' '),
      offenses.map(textOf).join(' '),
    ])
    saveFile(`${t('fileName')}-${request['request-id']}.csv`, toCsv(header, rows), 'text/csv;charset=utf-8')
  }
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <SectionTitle mb={0}>{t('whyFailed')}</SectionTitle>
        <Button variant="default" size="xs" onClick={save}>
          {t('saveFailed', { count: parts.length, formatted: formatNumber(parts.length) })}
        </Button>
      </Group>
      <FailureList
        parts={parts}
        requestType={request['request-type']}
        whose={(offense, count) => (
          <TextLink
            from="/requests/$requestId"
            search={{ 'part-status': 'failed', offense }}
            hash="parts"
            resetScroll={false}
            onClick={focusParts}
          >
            {t('parts', { count, formatted: formatNumber(count) })}
          </TextLink>
        )}
      />
    </section>
  )
}
