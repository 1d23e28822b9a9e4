import { Select, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { carrierDirections } from '../../entities/layouts/layout.ts'
import type { ContractFields } from './contract-fields.ts'
import { layoutName } from '../../entities/layouts/built-in-words.ts'

/** The layout of each kind of file. */
export function LayoutFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation(['carriers', 'layouts'])
  const { data } = useOperation('listLayouts', { query: { 'items-per-page': 500 } })
  const layouts = data?.result ?? []
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {carrierDirections.map((direction) => (
        <Select
          key={direction}
          label={t(`layouts:directions.${direction}`)}
          placeholder={t(direction === 'movement' ? 'carriers:genericLayout' : 'carriers:form.noLayout')}
          // What is typed before the list is there would find nothing.
          disabled={data === undefined}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('carriers:form.clear', { field: t(`layouts:directions.${direction}`) }) }}
          attributes={{ option: { translate: 'no' }, input: { translate: 'no' } }}
          data={layouts
            .filter((layout) => layout.direction === direction)
            .map((layout) => ({ value: layout['layout-id'], label: layoutName(layout) }))}
          {...form.getInputProps(`layouts.${direction}`)}
        />
      ))}
    </SimpleGrid>
  )
}
