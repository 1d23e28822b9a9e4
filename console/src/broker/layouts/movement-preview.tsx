import { List, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { SearchField } from '../../components/search-field.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import type { Layout } from '../../entities/layouts/layout.ts'
import { LineTable } from './line-table.tsx'

const maxPreviewed = 20

/** What the layout writes of open movements, with a ruler. */
export function MovementPreview({ layout }: { readonly layout: Layout }) {
  const { t } = useTranslation('layouts')
  const [q, setQ] = useState<string>()
  const query = { status: 'open', 'items-per-page': maxPreviewed, ...(q === undefined ? {} : { q }) }
  const movements = useOperation('listEnrollmentQueue', { query })
  const ids = movements.data?.result.map(({ id }) => id) ?? []
  const names = new Map(movements.data?.result.map((one) => [one.id, one['member-name']]))
  const preview = useQuery({
    queryKey: ['previewLayout', layout['layout-id'], layout.version, ids],
    queryFn: ({ signal }) => api.layouts.preview(layout['layout-id'], { 'enrollment-ids': ids }, { signal }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Text size="sm" mb="xs">
        {t('previewMovements')}
      </Text>
      <SearchField label={t('search')} placeholder={t('searchPlaceholder')} width="22rem" value={q} onChange={setQ} />
      <QueryView query={movements}>
        {({ result }) =>
          result.length === 0 ? (
            <Text size="sm" mt="xs">
              {t('noMovements')}
            </Text>
          ) : (
            <QueryView query={preview}>
              {(written) => {
                if (!('items' in written)) return null
                const kept = written.items.filter(({ problems }) => problems.length > 0)
                return (
                  <>
                    <LineTable label={t('lines')} ruler={written.ruler} lines={written.lines} />
                    {kept.length > 0 && (
                      <>
                        <Text fw={600} mt="sm" mb={4}>
                          {t('problems')}
                        </Text>
                        <List size="sm">
                          {kept.flatMap(({ 'enrollment-id': id, problems }) =>
                            problems.map(({ code, column, message }) => (
                              <List.Item key={`${id} ${code} ${column}`}>
                                <Value>
                                  {names.get(id)}: {message}
                                </Value>
                              </List.Item>
                            )),
                          )}
                        </List>
                      </>
                    )}
                  </>
                )
              }}
            </QueryView>
          )
        }
      </QueryView>
    </>
  )
}
