import { Stack, Text } from '@mantine/core'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { numeric, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, NumberValue, TimestampValue } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'

type Retained = Result<'readRetention'>[number]

/** What is deleted after how long, and what the next run deletes. */
export function RetentionPanel() {
  const { t } = useTranslation('settings')
  const mayRun = usePermission('runRetention')
  const retention = useOperation('readRetention')
  const runs = useOperation('listAudit', { query: { action: 'retention.started', 'items-per-page': 1 } })
  const last = runs.data?.result[0]
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{t('retention.text')}</Text>
      <Text size="sm">
        {last === undefined ? (
          t('retention.neverByHand')
        ) : (
          <>
            {t('retention.lastByHand')} <TimestampValue value={last.at} />
          </>
        )}
      </Text>
      <QueryView query={retention}>
        {({ result }) => (
          <>
            <PlainTable<Retained>
              label={t('views.retention')}
              items={result}
              idOf={(one) => one.class}
              columns={[
                rowHeader(t('retention.what'), (one) => t(`retention.classes.${one.class}`)),
                numeric(t('retention.days'), ({ days }) => <NumberValue value={days} />),
                numeric(t('retention.before'), ({ before }) => <DateValue value={before} />),
                numeric(t('retention.due'), ({ count }) => <NumberValue value={count} />),
              ]}
            />
            {mayRun && (
              <DialogButton variant="default" dialog={(close) => <RunDialog classes={result} onClose={close} />}>
                {t('retention.run')}
              </DialogButton>
            )}
          </>
        )}
      </QueryView>
    </Stack>
  )
}

const sumOf = (classes: readonly Retained[]) => classes.reduce((sum, { count }) => sum + count, 0)

function RunDialog({ classes, onClose }: { readonly classes: readonly Retained[]; readonly onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <ActDialog
      title={t('retention.runTitle')}
      action={t('retention.delete')}
      isDestructive
      act={() => api.retention.run()}
      done={({ classes: deleted }) => t('retention.done', { count: sumOf(deleted) })}
      onClose={onClose}
    >
      <Text size="sm">{t('retention.runText', { count: sumOf(classes) })}</Text>
    </ActDialog>
  )
}
