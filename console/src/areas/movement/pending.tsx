import { Alert, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import type { Movement } from './comparison.ts'
import { FieldName } from './field.tsx'

/** What a pending movement waits for. */
export function Pending({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'terms'])
  const { status, reason } = movement
  if (status !== 'pending-documents' && status !== 'pending-correction') return null
  const items = movement['pending-items']
  return (
    <Alert color="orange" variant="default" title={t('movement:pending')} mb="md">
      {reason !== null && (
        <Text size="sm">
          <Value>{reason}</Value>
        </Text>
      )}
      {items.length > 0 && (
        <List size="sm">
          {items.map((item, index) => (
            // Items have no id and do not change while they are shown.
            // oxlint-disable-next-line react/no-array-index-key
            <List.Item key={index}>
              {item['document-type'] !== undefined && t(`terms:documentType.${item['document-type']}`)}
              {item.field !== undefined && <FieldName field={item.field} />}
              <Value>: {item.message}</Value>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
