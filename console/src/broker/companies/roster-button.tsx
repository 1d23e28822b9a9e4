import { Button, Popover, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { WorkbookButton } from '../../components/workbook-button.tsx'

/** Saves the people of a company, as CSV or as a workbook. */
export function RosterButton({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['companies', 'states'])
  const fileName = `${t('companies:rosterName')}-${taxId}`
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default">{t('companies:roster')}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('companies:roster')}>
        <Stack gap="xs">
          <Button
            variant="default"
            size="xs"
            component="a"
            href={`/operator/v1/company/${taxId}/roster`}
            download={`${fileName}.csv`}
          >
            {t('states:export')}
          </Button>
          <WorkbookButton size="xs" fileName={fileName} read={(options) => api.companies.roster(taxId, options)}>
            {t('states:exportExcel')}
          </WorkbookButton>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
