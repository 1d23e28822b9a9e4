import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import i18next from 'i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { fieldName, wordOf } from '../../components/field-words.ts'
import { saveFile } from '../../components/save-file.ts'
import { formatDate } from '../../format/date.ts'
import { formatCpf } from '../../format/tax-id.ts'
import type { DraftItem, MovementDraft } from '../movement-drafts/draft.ts'
import { useTableClient } from '../movement-sheets/client.ts'
import { joinRecords } from '../../tables/csv-record.ts'
import { type RosterClient, useRosterClient } from './client.ts'
import { offenseWords } from './item-table.tsx'

/** More rows the service writes into no workbook. */
const maxRows = 10_000
const pageSize = 500

async function allItems({ client, operations }: RosterClient, draftId: string, query: object): Promise<DraftItem[]> {
  const items: DraftItem[] = []
  for (let page = 1; items.length < maxRows; page += 1) {
    const { result, pagination } = await client.operations.request(operations.items, {
      path: [draftId],
      query: { ...query, page, 'items-per-page': pageSize },
    })
    items.push(...result)
    if (result.length === 0 || items.length >= pagination['total-items']) break
  }
  return items
}

/** A value as people read it. */
function textOf(field: string, value: DraftItem['differences'][number]['here']): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return i18next.t(value ? 'states:yes' : 'states:no')
  if (typeof value !== 'string') return String(value)
  return wordOf(field, value) ?? (/^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : value)
}

/** Saves what a tab shows, a line for each item, as a workbook. */
export function TabWorkbook({
  draft,
  query,
  name,
}: {
  readonly draft: MovementDraft
  readonly query: object
  readonly name: string
}) {
  const { t } = useTranslation(['rosters', 'states', 'terms', 'drafts'])
  const rosters = useRosterClient()
  const tables = useTableClient()
  const save = useMutation({
    mutationFn: async () => {
      const items = await allItems(rosters, draft['draft-id'], query)
      const header = [
        fieldName('tax-id'),
        fieldName('name'),
        fieldName('employee-id'),
        t('rosters:class'),
        t('drafts:status'),
        t('rosters:product'),
        t('rosters:whatDiffers'),
        t('rosters:remarks'),
        t('rosters:lacking'),
        t('rosters:linesOfList'),
      ]
      const rows = items.map((item) => [
        item['tax-id'] === null ? '' : formatCpf(item['tax-id']),
        item.name ?? '',
        item['employee-id'] ?? '',
        t(`terms:draftClass.${item.class}`),
        t(`terms:draftItemStatus.${item.status}`),
        item['product-name'] ?? '',
        item.differences
          .map(({ field, here, stated }) => `${fieldName(field)}: ${textOf(field, here)} → ${textOf(field, stated)}`)
          .join('; '),
        [
          ...(item.explanation === null ? [] : [t(`terms:rosterExplanation.${item.explanation}`)]),
          ...item.offenses.map((code) => offenseWords(code, item, t)),
          ...(item.reason === null ? [] : [item.reason]),
        ].join(' '),
        item.needs.map(fieldName).join(', '),
        item.lines.join(', '),
      ])
      const records = [header, ...rows].map((cells) => cells.map((cell) => cell.replaceAll(/[\r\n]+/g, ' ')))
      const file = new File([joinRecords(records, ';')], 'lista.csv', { type: 'text/csv' })
      const options = { movement: 'inclusion', 'company-tax-id': draft['company-tax-id'], 'header-row': 1 } as const
      const book = await tables.workbook(file, options)
      saveFile(`${name}.xlsx`, await new Response(book.body).blob(), book.type)
    },
  })
  return (
    <>
      <Button variant="default" size="xs" loading={save.isPending} onClick={() => save.mutate()}>
        {t('states:exportExcel')}
      </Button>
      {save.error !== null && <ErrorMessage error={save.error} />}
    </>
  )
}
