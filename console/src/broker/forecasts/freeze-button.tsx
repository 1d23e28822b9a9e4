import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import type { Forecast } from '../../entities/forecasts/forecast.ts'
import { formatMonth } from '../../format/month.ts'
import { usePermission } from '../../session/use-permission.ts'

/** Stores the forecast, until an invoice of its month is read. */
export function FreezeButton({ forecast }: { readonly forecast: Forecast }) {
  const { t } = useTranslation('forecasts')
  const mayFreeze = usePermission('freezeForecast')
  const month = forecast['reference-month']
  if (!mayFreeze || forecast.variance !== null || forecast['missing-settings'].length > 0) return null
  return (
    <DialogButton
      variant="default"
      dialog={(close) => (
        <ActDialog
          action={t('freeze')}
          act={() => api.contracts.freezeForecast(forecast['contract-id'], { 'reference-month': month })}
          done={t('frozen')}
          onClose={close}
        >
          <Text size="sm">{t('freezeText', { month: formatMonth(month) })}</Text>
        </ActDialog>
      )}
    >
      {t('freeze')}
    </DialogButton>
  )
}
