import { List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CLOSING_ITEMS } from '../../../../src/kernel/broker-enums.ts'
import { openItems } from '../../../../src/money/rules/closing.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { NoteField } from '../../components/note-field.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Month } from './closing.ts'
import { DialogButton } from '../../components/dialog.tsx'

/** Closes a month, or opens it again. */
export function MonthActions({ month }: { readonly month: Month }) {
  const { t } = useTranslation('closings')
  const mayClose = usePermission('closeMonth')
  const mayReopen = usePermission('reopenMonth')
  const isOpen = month.status === 'open'
  if (!(isOpen ? mayClose : mayReopen)) return null
  return (
    <DialogButton
      {...(isOpen ? {} : { variant: 'default' })}
      dialog={(close) => <Question month={month} onClose={close} />}
    >
      {t(isOpen ? 'close' : 'reopen')}
    </DialogButton>
  )
}

/** Asks before, and for the reason where one is needed. */
function Question({ month, onClose }: { readonly month: Month; readonly onClose: () => void }) {
  const { t } = useTranslation(['closings', 'terms'])
  const [reason, setReason] = useState('')
  const isOpen = month.status === 'open'
  const needsReason = !isOpen || openItems(month.checklist).length > 0
  // The payroll comes after the closing.
  const notDone = isOpen ? CLOSING_ITEMS.filter((item) => item !== 'payroll' && month.checklist[item] !== 'done') : []
  const ofMonth = { 'company-tax-id': month['company-tax-id'], 'reference-month': month['reference-month'] }
  const action = t(isOpen ? 'closings:close' : 'closings:reopen')
  return (
    <ActDialog
      action={action}
      isDisabled={needsReason && reason.trim() === ''}
      act={() =>
        isOpen
          ? api.closings.close({ ...ofMonth, ...(needsReason ? { reason: reason.trim() } : {}) })
          : api.closings.reopen(month['closing-id'] ?? '', { reason: reason.trim() })
      }
      done={t(isOpen ? 'closings:closedDone' : 'closings:reopenedDone')}
      onClose={onClose}
    >
      <Text size="sm">{t(isOpen ? 'closings:closeText' : 'closings:reopenText')}</Text>
      {notDone.length > 0 && (
        <>
          <Text size="sm">{t('closings:notDone')}</Text>
          <List size="sm">
            {notDone.map((item) => (
              <List.Item key={item}>{t(`terms:closingItem.${item}`)}</List.Item>
            ))}
          </List>
        </>
      )}
      {needsReason && (
        <NoteField
          label={t(isOpen ? 'closings:reason' : 'closings:reopenReason')}
          required
          maxLength={500}
          data-autofocus
          value={reason}
          onChange={setReason}
        />
      )}
    </ActDialog>
  )
}
