import { Box, Pagination, Paper, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FactList, fact } from '../../components/fact-list.tsx'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { offenseText } from '../../components/offense-texts.ts'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { CpfValue, DateValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { currentLanguage } from '../../language/language.ts'
import type { DraftItem, MovementDraft } from './draft.ts'
import { DraftItemStatusBadge, DraftStatusBadge } from './status-badges.tsx'

/** So many items are on a page. */
const itemsPerPage = 20

/** What is known of a draft as a whole. @param props.company of which it is, where that is not said elsewhere. */
export function DraftFacts({ draft, company }: { readonly draft: MovementDraft; readonly company?: ReactNode }) {
  const { t } = useTranslation(['drafts', 'terms'])
  const { intake } = draft
  const because = draft['closed-because']
  return (
    <FactList
      facts={[
        fact(t('drafts:status'), <DraftStatusBadge status={draft.status} />),
        because !== null && fact(t('drafts:outcome'), t(`terms:draftClosedBecause.${because}`)),
        company !== undefined && fact(t('drafts:company'), company),
        fact(t('drafts:createdBy'), <Value>{draft['created-by']}</Value>),
        fact(t('drafts:createdAt'), <TimestampValue value={draft['created-at']} />),
        draft.status !== 'closed' && fact(t('drafts:expiresOn'), <DateValue value={draft['expires-on']} />),
        fact(t('drafts:reference'), <TextValue value={draft.reference} />),
        draft.comment !== null && fact(t('drafts:comment'), <TextValue value={draft.comment} />),
        intake !== null && fact(t('drafts:requester'), <TextValue value={intake['requester-name']} />),
      ]}
    />
  )
}

/** A page of the items of a draft, each with what is and what would be. */
export function DraftItems(props: {
  readonly items: readonly DraftItem[]
  readonly total: number
  readonly page: number
  readonly onPage: (page: number) => void
  /** Below an item: its documents and what can be done. */
  readonly below: (item: DraftItem) => ReactNode
}) {
  const { t } = useTranslation('drafts')
  const { items, total, page, onPage, below } = props
  const pages = Math.ceil(total / itemsPerPage)
  return (
    <Stack gap="md" mt="lg">
      {items.map((item) => (
        <Paper
          key={item.number}
          withBorder
          p="md"
          component="section"
          aria-label={t('itemOf', { number: item.number })}
        >
          <ItemHeader item={item} />
          <ItemOutcome item={item} />
          <Differences item={item} />
          {below(item)}
        </Paper>
      ))}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={onPage}
          getControlProps={(control) => ({ 'aria-label': t(`control.${control}`) })}
          getItemProps={(number) => ({ 'aria-label': t('pageNumber', { number }) })}
        />
      )}
    </Stack>
  )
}

function ItemHeader({ item }: { readonly item: DraftItem }) {
  const { t } = useTranslation(['drafts', 'terms'])
  return (
    <FactList
      facts={[
        fact(t(`terms:draftClass.${item.class}`), <TextValue value={item.name} />),
        fact(<FieldName field="tax-id" />, <CpfValue value={item['tax-id']} />),
        fact(<FieldName field="employee-id" />, <TextValue value={item['employee-id']} />),
        fact(t('drafts:status'), <DraftItemStatusBadge status={item.status} />),
      ]}
    />
  )
}

/** Why it was discarded or refused. */
function ItemOutcome({ item }: { readonly item: DraftItem }) {
  const { t } = useTranslation('drafts')
  if (item.reason !== null) {
    return (
      <Text size="sm" mt="xs">
        {t('reason')}: <Value>{item.reason}</Value>
      </Text>
    )
  }
  if (item.offenses.length === 0) return null
  const textOf = (code: DraftItem['offenses'][number]) =>
    code === 'changed-meanwhile' ? t('changedMeanwhile') : offenseText(code, item.movement ?? '', currentLanguage())
  return (
    <Text size="sm" mt="xs">
      {item.offenses.map(textOf).join(' ')}
    </Text>
  )
}

function Differences({ item }: { readonly item: DraftItem }) {
  const { t } = useTranslation('drafts')
  if (item.differences.length === 0) return null
  return (
    <Box mt="xs">
      <PlainTable<DraftItem['differences'][number]>
        label={t('differences')}
        verticalSpacing={4}
        items={item.differences}
        idOf={({ field }) => field}
        columns={[
          rowHeader(t('field'), ({ field }) => <FieldName field={field} />),
          plain(t('here'), ({ field, here }) => <FieldValue name={field} value={here} />),
          plain(t('stated'), ({ field, stated }) => <FieldValue name={field} value={stated} />, { fw: 600 }),
        ]}
      />
    </Box>
  )
}

/** The hook of the page of items. */
export function useItemPage() {
  const [page, setPage] = useState(1)
  return { page, setPage, query: { page, 'items-per-page': itemsPerPage } }
}
