import { Box, Table, Text } from '@mantine/core'
import type { Schemas } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'

/** The lines of a file as a layout reads them, and those that it refuses. */
export function Reading({ reading }: { readonly reading: Schemas['LayoutReading'] }) {
  const { t } = useTranslation('layouts')
  const { counts, lines, refused } = reading
  return (
    <>
      <Text role="status" size="sm">
        {t('counts', {
          read: formatNumber(counts.read),
          refused: formatNumber(counts.refused),
          skipped: formatNumber(counts.skipped),
        })}
      </Text>
      {refused.length > 0 && (
        <Box className="plain-table" tabIndex={0} role="region" aria-label={t('refusedLines')}>
          <Table fz="sm" verticalSpacing={2}>
            <Table.Caption style={{ captionSide: 'top' }}>{t('refusedLines')}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('line')}</Table.Th>
                <Table.Th scope="col">{t('cell')}</Table.Th>
                <Table.Th scope="col">{t('reason')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {refused.flatMap(({ line, cells }) =>
                cells.map(({ column, code, message }) => (
                  <Table.Tr key={`${line} ${column} ${code}`}>
                    <Table.Td>
                      <Value>{line}</Value>
                    </Table.Td>
                    <Table.Td>
                      <Value>{column}</Value>
                    </Table.Td>
                    <Table.Td>
                      <Value>{message}</Value>
                    </Table.Td>
                  </Table.Tr>
                )),
              )}
            </Table.Tbody>
          </Table>
        </Box>
      )}
      {lines.length > 0 && (
        <Box className="plain-table" tabIndex={0} role="region" aria-label={t('readLines')}>
          <Table fz="sm" verticalSpacing={2}>
            <Table.Caption style={{ captionSide: 'top' }}>{t('readLines')}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('line')}</Table.Th>
                <Table.Th scope="col">{t('recordName')}</Table.Th>
                <Table.Th scope="col">{t('values')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map(({ line, record, values }) => (
                <Table.Tr key={`${line} ${record}`}>
                  <Table.Td>
                    <Value>{line}</Value>
                  </Table.Td>
                  <Table.Td>
                    <Value>{record}</Value>
                  </Table.Td>
                  <Table.Td>
                    <Value>
                      {Object.entries(values)
                        .map(([target, value]) => `${target}: ${value}`)
                        .join(' · ')}
                    </Value>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </>
  )
}
