import { Text } from '@mantine/core'
import type { ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { fieldName } from '../../components/field-words.ts'
import { TextValue, Value } from '../../components/value.tsx'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

type Mention = ResponseBody<'readErasurePlan'>['result']['mentions'][number]

/** Where texts of others change, each text whole: what the second admin approves. */
export function ErasureMentions({ mentions }: { readonly mentions: readonly Mention[] }) {
  const { t } = useTranslation('erasure')
  if (mentions.length === 0) return null
  return (
    <>
      <SectionTitle mt="lg">{t('mentions')}</SectionTitle>
      <Text size="sm" mb="xs">
        {t('mentionsText')}
      </Text>
      <PlainTable<Mention>
        label={t('mentions')}
        aria-label={t('mentions')}
        items={mentions}
        idOf={(one) => `${one.record} ${one['company-tax-id']} ${one['record-id']} ${one.field}`}
        columns={[
          plain(t('text'), (one) => <TextValue value={one.text} />, {
            miw: '14rem',
            style: { overflowWrap: 'anywhere' },
          }),
          plain(t('where'), (one) => <Place mention={one} />),
          plain(t('action'), ({ action }) => (
            <Badge color={action === 'erase' ? 'red' : 'gray'}>{t(`actions.${action}`)}</Badge>
          )),
        ]}
      />
    </>
  )
}

/** A column, and where it is JSON the place in it. */
function Place({ mention: { record, field, 'company-name': company } }: { readonly mention: Mention }) {
  const { t } = useTranslation('erasure')
  const column = (/^\w+/.exec(field)?.[0] ?? field).replaceAll('_', '-')
  return (
    <>
      <Value>
        {t(`records.${record}`, { defaultValue: record })} ·{' '}
        {t(`fields.${column}`, { defaultValue: fieldName(column) })}
      </Value>
      <Text size="xs" c="dimmed">
        <TextValue value={company} />
      </Text>
    </>
  )
}
