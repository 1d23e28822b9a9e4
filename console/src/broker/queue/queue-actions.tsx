import { Group, Loader, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { useWorkbook } from '../../components/workbook-button.tsx'
import { NewMovementLink } from '../../entities/movement-forms/new-movement-link.tsx'
import { exportQueryOf, type QueueSearch } from '../../entities/queue/queue-search.ts'
import { businessDate } from '../../format/date.ts'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import { RunningJobs } from './running-jobs.tsx'

export type QueueDialog = 'columns' | 'file' | 'keys'

/** The next action of the queue, and what else can be done with all of it in a menu. */
export function QueueActions(props: { readonly search: QueueSearch; readonly onOpen: (dialog: QueueDialog) => void }) {
  const { search, onOpen } = props
  const { t } = useTranslation(['queue', 'states', 'decisions'])
  const me = useSession()?.['client-id'] ?? ''
  const mayWrite = usePermission('moveEnrollment')
  const filters = exportQueryOf(search, me)
  const fileName = `${t('queue:exportName')}-${businessDate()}`
  const workbook = useWorkbook({ fileName, read: (options) => api.enrollments.export(filters, options) })
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
  return (
    <Group className="queue-header-actions no-print" gap="xs">
      {workbook.error !== null && <ErrorMessage error={workbook.error} />}
      {workbook.isPending && <Loader size="sm" role="status" aria-label={t('states:loading')} />}
      <RunningJobs />
      <NewMovementLink size="xs" variant="filled" />
      <MoreMenu>
        <Menu.Item component="a" href={`/operator/v1/enrollment/export?${query}`} download={`${fileName}.csv`}>
          {t('states:export')}
        </Menu.Item>
        <Menu.Item disabled={workbook.isPending} onClick={() => workbook.mutate()}>
          {t('states:exportExcel')}
        </Menu.Item>
        <Menu.Divider />
        {mayWrite && <Menu.Item onClick={() => onOpen('file')}>{t('queue:file.title')}</Menu.Item>}
        <Menu.Item renderRoot={(item) => <Link to="/decision-jobs" {...item} />}>{t('decisions:jobs.title')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => onOpen('columns')}>{t('queue:columnChoice.title')}</Menu.Item>
        <Menu.Item onClick={() => onOpen('keys')}>{t('queue:keys.title')}</Menu.Item>
      </MoreMenu>
    </Group>
  )
}
