import { Box, Table, Text, Title } from '@mantine/core'
import type { ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { fieldName } from '../../components/field-words.ts'
import { TextValue, Value } from '../../components/value.tsx'

type Mention = ResponseBody<'readErasurePlan'>['result']['mentions'][number]

/** Where texts of others change, each text whole: what the second admin approves. */
export function ErasureMentions({ mentions }: { readonly mentions: readonly Mention[] }) {
  const { t } = useTranslation('erasure')
  if (mentions.length === 0) return null
  return (
    <>
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t('mentions')}
      </Title>
      <Text size="sm" mb="xs">
        {t('mentionsText')}
      </Text>
      <Box className="plain-table" tabIndex={0} role="region" aria-label={t('mentions')}>
        <Table fz="sm" aria-label={t('mentions')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('text')}</Table.Th>
              <Table.Th scope="col">{t('where')}</Table.Th>
              <Table.Th scope="col">{t('action')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {mentions.map((one) => (
              <Table.Tr key={`${one.record} ${one['company-tax-id']} ${one['record-id']} ${one.field}`}>
                <Table.Td miw="14rem" style={{ overflowWrap: 'anywhere' }}>
                  <TextValue value={one.text} />
                </Table.Td>
                <Table.Td>
                  <Place mention={one} />
                </Table.Td>
                <Table.Td>
                  <Badge color={one.action === 'erase' ? 'red' : 'gray'}>{t(`actions.${one.action}`)}</Badge>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
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
