import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { tableTypeOf, xlsxType } from '../../api/table-type.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { FileDrop } from '../../components/file-drop.tsx'
import { Value } from '../../components/value.tsx'
import type { LayoutFormat } from '../../entities/layouts/layout.ts'
import { readFileRows } from '../../tables/use-file-rows.ts'
import { isTable, linesOf, type Sample } from './sample.ts'

const maxBytes = 16 * 1024 * 1024
const maxRows = 500

/** A file of the carrier. @param props.format of the layout; null: that of the file. */
export function SampleDrop(props: {
  readonly format: LayoutFormat | null
  readonly onSample: (sample: Sample) => void
}) {
  const { format, onSample } = props
  const { t } = useTranslation('layouts')
  const reading = useMutation({
    mutationFn: (file: File) => readSample(file, format),
    onSuccess: (sample) => sample !== null && onSample(sample),
  })
  return (
    <section>
      <FileDrop
        label={t('chooseSample')}
        maxSize={maxBytes}
        loading={reading.isPending}
        onFile={reading.mutate}
        refused={t('fileRefused')}
      >
        {reading.variables === undefined ? t('dropSample') : <Value>{reading.variables.name}</Value>}
      </FileDrop>
      {reading.error !== null && <ErrorMessage error={reading.error} />}
      {reading.data === null && (
        <Text role="alert" size="sm" c="red">
          {t('otherFormat')}
        </Text>
      )}
    </section>
  )
}

/** null: the file is of another format than the layout. */
async function readSample(file: File, format: LayoutFormat | null): Promise<Sample | null> {
  const isWorkbook = tableTypeOf(file) === xlsxType
  const lines = isWorkbook ? [] : linesOf(await file.arrayBuffer())
  const found = isWorkbook ? 'xlsx' : isTable(file.name, lines) ? 'csv' : 'fixed-width'
  const wanted = format ?? found
  if (wanted === 'ndjson') return null
  if (wanted === 'fixed-width') return isWorkbook ? null : { format: wanted, lines }
  return { format: wanted, rows: (await readFileRows(file, undefined)).slice(0, maxRows) }
}
