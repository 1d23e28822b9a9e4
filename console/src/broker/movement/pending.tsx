import { Alert, Button, List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Movement } from './comparison.ts'
import { FieldName } from '../../components/field-name.tsx'
import { WaiveDialog } from './waive-dialog.tsx'

type PendingItem = Movement['pending-items'][number]

/** What a pending movement waits for, and until when. */
export function Pending({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'deadlines'])
  const mayWaive = usePermission('waiveRequirement')
  const [waived, setWaived] = useState<PendingItem | null>(null)
  const wordsOf = useItemWords()
  const { status, reason, 'due-date': due } = movement
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
              {wordsOf(item)}
              {item.field !== undefined && <FieldName field={item.field} />}
              <Value>: {item.message}</Value>{' '}
              {mayWaive && item.requirement !== undefined && (
                <Button size="compact-xs" variant="default" className="no-print" onClick={() => setWaived(item)}>
                  {t('deadlines:waiveAction')}
                </Button>
              )}
            </List.Item>
          ))}
        </List>
      )}
      {due !== null && (
        <Text size="sm" mt={4}>
          {t('deadlines:dueUntil')} <DateValue value={due} />
        </Text>
      )}
      {waived?.requirement !== undefined && (
        <WaiveDialog
          enrollmentId={movement.id}
          requirement={waived.requirement}
          document={wordsOf(waived)}
          onClose={() => setWaived(null)}
        />
      )}
    </Alert>
  )
}

/** The documents of an item, of which one is enough; '' where it is about a field. */
function useItemWords(): (item: PendingItem) => string {
  const { t } = useTranslation(['deadlines', 'terms'])
  return (item) => {
    const type = item['document-type']
    const types = item['any-of'] ?? (type === undefined ? [] : [type])
    return types.map((one) => t(`terms:documentType.${one}`)).join(t('deadlines:or'))
  }
}
