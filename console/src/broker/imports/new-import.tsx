import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TABLE_MOVEMENTS } from '../../../../src/movements/rules/table-columns.ts'
import { api } from '../../api/client.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { Loading } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { formatBytes } from '../../format/number.ts'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { useImportUpload } from './use-import-upload.ts'
import { FileDrop } from '../../components/file-drop.tsx'

const ImportMapping = lazy(() => import('./import-mapping.tsx'))
const maxBytes = 1024 ** 3

interface Props {
  /** Whose own headings are known; null: none. */
  readonly companyTaxId: string | null
  readonly onCompany: (taxId: string | null) => void
}

/** A file to drop or choose, and its import, with a dry run first. */
export default function NewImport({ companyTaxId, onCompany }: Props) {
  const { t } = useTranslation('imports')
  const [file, setFile] = useState<File | null>(null)
  const [isDryRun, setDryRun] = useState(true)
  const [isIncomplete, setIncomplete] = useState(false)
  const upload = useImportUpload()
  return (
    <Stack mb="lg">
      <Group align="flex-end" gap="sm">
        <CompanySelect label={t('company')} placeholder={t('anyCompany')} value={companyTaxId} onChange={onCompany} />
        {companyTaxId !== null &&
          TABLE_MOVEMENTS.map((movement) => (
            <WorkbookButton
              key={movement}
              fileName={`${t(`templateName.${movement}`)}-${companyTaxId}`}
              read={(options) => api.tables.template({ 'company-tax-id': companyTaxId, movement }, options)}
            >
              {t(`template.${movement}`)}
            </WorkbookButton>
          ))}
      </Group>
      <FileDrop
        label={t('chooseFile')}
        maxSize={maxBytes}
        disabled={upload.isPending}
        onFile={(chosen) => {
          setIncomplete(false)
          upload.reset()
          setFile(chosen)
        }}
        limit={t('fileLimit')}
        refused={t('refused')}
      >
        {t('dropHere')}
      </FileDrop>
      {file !== null && (
        <Group>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            <Value>
              {file.name} · {formatBytes(file.size)}
            </Value>
          </Text>
          <Checkbox
            label={t('dryRunFirst')}
            checked={isDryRun}
            disabled={upload.isPending}
            onChange={({ currentTarget: { checked } }) => setDryRun(checked)}
          />
          <Button
            loading={upload.isPending}
            disabled={isIncomplete}
            onClick={() => upload.start({ file, companyTaxId }, isDryRun)}
          >
            {t(isDryRun ? 'validate' : 'import')}
          </Button>
        </Group>
      )}
      {!isIncomplete && <UploadProgress upload={upload} />}
      {file !== null && tableTypeOf(file) !== 'application/x-ndjson' && (
        <Suspense fallback={<Loading />}>
          <ImportMapping
            key={`${file.name} ${file.lastModified} ${file.size}`}
            file={file}
            companyTaxId={companyTaxId}
            onIncomplete={setIncomplete}
          />
        </Suspense>
      )}
    </Stack>
  )
}
