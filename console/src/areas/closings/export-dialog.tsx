import { Checkbox, List, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatMoney, formatNumber } from '../../format/number.ts'
import type { Month } from './closing.ts'

/** Says what a payroll export would deduct and who cannot be in it, and makes it. */
export function ExportDialog({ month, onClose }: { readonly month: Month; readonly onClose: () => void }) {
  const { t } = useTranslation('closings')
  const queryClient = useQueryClient()
  const ofMonth = { 'company-tax-id': month['company-tax-id'], 'reference-month': month['reference-month'] }
  const preview = useOperation('previewPayroll', { query: { ...ofMonth, 'items-per-page': 1 } })
  const problems = preview.data?.problems ?? []
  const skipped = new Set(problems.map((problem) => problem['member-id']))
  const [isSkipping, setSkipping] = useState(false)
  const make = useMutation({
    mutationFn: () => api.payroll.export({ ...ofMonth, ...(isSkipping ? { skip: [...skipped] } : {}) }),
    onSuccess: () => {
      notifyDone(t('payroll.exported'))
      onClose()
      // The checklist and the status of the month have changed too.
      void queryClient.invalidateQueries()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('payroll.export')}
      action={t('payroll.export')}
      isPending={make.isPending}
      isDisabled={preview.data === undefined || (skipped.size > 0 && !isSkipping)}
      error={make.error}
      onConfirm={() => make.mutate()}
      onClose={onClose}
    >
      <QueryView query={preview}>
        {({ totals }) => (
          <Text size="sm">
            {t('payroll.deducts', {
              count: totals.employees,
              formatted: formatNumber(totals.employees),
              amount: formatMoney(totals.amount),
            })}
          </Text>
        )}
      </QueryView>
      {skipped.size > 0 && (
        <>
          <Text size="sm">{t('payroll.cannot')}</Text>
          <List size="sm" mah="30vh" style={{ overflowY: 'auto' }}>
            {problems.map((problem) => (
              <List.Item key={`${problem['member-id']} ${problem.code} ${problem.column}`}>
                <Value>{problem.name}</Value>: {t(`payroll.problems.${problem.code}`)}
                {problem.column !== null && (
                  <>
                    {' '}
                    (<Value>{problem.column}</Value>)
                  </>
                )}
              </List.Item>
            ))}
          </List>
          <Checkbox
            label={t('payroll.skip', { count: skipped.size, formatted: formatNumber(skipped.size) })}
            checked={isSkipping}
            onChange={({ currentTarget: { checked } }) => setSkipping(checked)}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
