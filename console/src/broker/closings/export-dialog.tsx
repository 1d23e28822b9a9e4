import { Checkbox, List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatMoney, formatNumber } from '../../format/number.ts'
import type { Month } from './closing.ts'

/** Says what a payroll export would deduct and who cannot be in it, and makes it. */
export function ExportDialog({ month, onClose }: { readonly month: Month; readonly onClose: () => void }) {
  const { t } = useTranslation('closings')
  const ofMonth = { 'company-tax-id': month['company-tax-id'], 'reference-month': month['reference-month'] }
  const preview = useOperation('previewPayroll', { query: { ...ofMonth, 'items-per-page': 1 } })
  const problems = preview.data?.problems ?? []
  const skipped = new Set(problems.map((problem) => problem['member-id']))
  const [isSkipping, setSkipping] = useState(false)
  return (
    <ActDialog
      action={t('payroll.export')}
      isDisabled={preview.data === undefined || (skipped.size > 0 && !isSkipping)}
      act={() => api.payroll.export({ ...ofMonth, ...(isSkipping ? { skip: [...skipped] } : {}) })}
      done={t('payroll.exported')}
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
    </ActDialog>
  )
}
