import { Menu, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { CarrierFile } from '../../entities/reconciliations/reconciliation.ts'

/** Downloads the bytes of a file as they were sent, and deletes the file. @param props.isClosed the month is closed. */
export function FileActions({ file, isClosed }: { readonly file: CarrierFile; readonly isClosed: boolean }) {
  const { t } = useTranslation('reconciliations')
  const mayDownload = usePermission('readCarrierFileContent') && file['is-stored']
  const mayDelete = usePermission('deleteCarrierFile') && file.status !== 'reading' && !isClosed
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <MoreMenu>
        {mayDownload && (
          <Menu.Item component="a" href={`/operator/v1/carrier-file/${file['file-id']}/content`} download>
            {t('download')}
          </Menu.Item>
        )}
        {mayDelete && (
          <Menu.Item color="red" onClick={() => setDeleting(true)}>
            {t('delete')}
          </Menu.Item>
        )}
      </MoreMenu>
      {isDeleting && <DeleteDialog file={file} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteDialog({ file, onClose }: { readonly file: CarrierFile; readonly onClose: () => void }) {
  const { t } = useTranslation('reconciliations')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <ActDialog
      title={t('deleteTitle')}
      action={t('delete')}
      isDestructive
      act={() => api.carrierFiles.delete(file['file-id'])}
      done={t('deleted')}
      onDone={async () => {
        await navigate({ to: '/reconciliations' })
        for (const key of ['readCarrierFile', 'readReconciliation']) queryClient.removeQueries({ queryKey: [key] })
      }}
      onClose={onClose}
    >
      <Text size="sm">{t('deleteText')}</Text>
    </ActDialog>
  )
}
