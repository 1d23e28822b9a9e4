import { Select, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { FileDrop } from '../../components/file-drop.tsx'
import type { PriceFields } from './price-fields.ts'
import { pricesOf } from './price-values.ts'
import { type ReadPrices, readPrices } from './read-prices.ts'

/** More is no table of prices. */
const maxFileBytes = 1_000_000
const maxText = 20_000

/** A table as the carrier sends it, pasted or dropped: what can be read of it fills the fields. */
export function PastePrices({ form, onRead }: { readonly form: PriceFields; readonly onRead: () => void }) {
  const { t } = useTranslation('prices')
  const [text, setText] = useState('')
  const [found, setFound] = useState<ReadPrices | null>(null)
  const take = (pasted: string, column?: number) => {
    const read = readPrices(pasted, column)
    setText(pasted)
    setFound(pasted.trim() === '' ? null : read)
    if (read.columns.length === 0) return
    form.setValues(pricesOf(read))
    form.clearErrors()
    onRead()
  }
  const file = useMutation({
    // The service reads workbooks and the encodings of spreadsheets; it stores nothing.
    mutationFn: async (one: File) => {
      const { body } = await api.imports.tableAsCsv(one, { 'header-row': 1 }, { type: tableTypeOf(one) })
      return (await new Response(body).text()).slice(0, maxText)
    },
    onSuccess: (csv) => take(csv),
  })
  const isUnknown = found !== null && found.columns.length === 0
  const at = form.values.prices.filter(({ amount }) => amount !== null).length
  return (
    <Stack gap="xs">
      <Textarea
        label={t('paste')}
        description={t('pasteDescription')}
        placeholder={t('pastePlaceholder')}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={maxText}
        value={text}
        error={isUnknown ? t('nothingRead') : undefined}
        onChange={({ currentTarget: { value } }) => take(value)}
      />
      <FileDrop
        label={t('file')}
        maxSize={maxFileBytes}
        refused={t('fileTooLarge')}
        loading={file.isPending}
        onFile={(one) => file.mutate(one)}
      >
        {t('dropFile')}
      </FileDrop>
      {file.error !== null && <ErrorMessage error={file.error} />}
      {found !== null && found.columns.length > 1 && (
        <Select
          label={t('column')}
          description={t('columnDescription')}
          allowDeselect={false}
          attributes={{ option: { translate: 'no' } }}
          data={found.columns.map(({ at: place, heading }, index) => ({
            value: String(place),
            label: heading === '' ? t('columnNumber', { number: index + 1 }) : heading,
          }))}
          defaultValue={String(found.columns[0]?.at)}
          onChange={(place) => take(text, Number(place))}
        />
      )}
      {found !== null && !isUnknown && (
        <Text size="sm" role="status">
          {t('read', { count: at, of: form.values.prices.length })}
        </Text>
      )}
    </Stack>
  )
}
