import './calendar.css'
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { addMonths } from '../../../../src/registry/rules/cut-off.ts'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { saveFile } from '../../components/save-file.ts'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { businessDate } from '../../format/date.ts'
import { currentLanguage } from '../../language/language.ts'
import { column, text, date } from '../../lists/columns.tsx'
import { MonthGrid } from './month-grid.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/carriers/calendar')

type CutOff = Item<'listCutOffs'>

const maxItems = 500
const monthsOfFile = 12

/** The cut-offs of all contracts with a day in the month: that of a contract's month may lie in another. */
async function cutOffsIn(month: string, signal: AbortSignal): Promise<CutOff[]> {
  const found: CutOff[] = []
  const query = { from: addMonths(month, -2), until: addMonths(month, 2), 'items-per-page': maxItems }
  for await (const one of api.contracts.cutOffs(query, { signal })) {
    if (one['cut-off-date'].startsWith(month)) found.push(one)
  }
  return found
}

const columnsOf = (t: TFunction<'carriers'>): readonly Column<CutOff>[] => [
  column(t('cutOffDate'), '12rem', (one) => (
    <>
      <DateValue value={one['cut-off-date']} /> {one.exception && <Badge color="orange">{t('exception')}</Badge>}
    </>
  )),
  text(t('carrier'), 'carrier-name', 'minmax(10rem, 1fr)'),
  column(t('contract'), '11rem', (one) => (
    <TextLink to="/carriers/contracts/$contractId" params={{ contractId: one['contract-id'] }}>
      <Value>{[one['contract-number'], one['sub-contract']].filter(Boolean).join(' / ')}</Value>
    </TextLink>
  )),
  text(t('company'), 'company-name', 'minmax(12rem, 1.5fr)'),
  date(t('coverageStart'), 'coverage-start', '10rem'),
]

/** The cut-off days of all contracts, by month. */
export function CalendarPage() {
  const { t } = useTranslation('carriers')
  const today = businessDate()
  const { month = today.slice(0, 7) } = route.useSearch()
  const cutOffs = useQuery({
    queryKey: ['listCutOffs', month],
    queryFn: ({ signal }) => cutOffsIn(month, signal),
  })
  const name = new Intl.DateTimeFormat(currentLanguage(), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const monthLink = (to: string) => (props: object) => (
    <Link to="/carriers/calendar" search={{ month: to }} {...props} />
  )
  return (
    <>
      <PageHeader title={t('calendarPage.title')}>
        <CalendarDownload month={month} />
      </PageHeader>
      <Group mb="md">
        <Button variant="default" renderRoot={monthLink(addMonths(month, -1))}>
          {t('calendarPage.previous')}
        </Button>
        <Button variant="default" renderRoot={monthLink(today.slice(0, 7))}>
          {t('calendarPage.thisMonth')}
        </Button>
        <Button variant="default" renderRoot={monthLink(addMonths(month, 1))}>
          {t('calendarPage.next')}
        </Button>
        <SectionTitle translate="no" aria-live="polite" mb={0}>
          {name.format(new Date(`${month}-01T00:00:00Z`))}
        </SectionTitle>
      </Group>
      <QueryView query={cutOffs}>
        {(found) => (
          <>
            <MonthGrid month={month} today={today} cutOffs={found} />
            <SectionTitle mt="lg">{t('calendarPage.list')}</SectionTitle>
            <DataTable
              label={t('calendarPage.list')}
              columns={columnsOf(t)}
              list={listOf(found)}
              idOf={(one) => `${one['contract-id']} ${one.month}`}
              empty={t('calendarPage.empty')}
            />
          </>
        )}
      </QueryView>
    </>
  )
}

/** Saves a year from the month on, for calendar programs. */
function CalendarDownload({ month }: { readonly month: string }) {
  const { t } = useTranslation('carriers')
  const download = useMutation({
    mutationFn: async () => {
      const file = await api.operations.download('listCutOffs', {
        query: { from: month, until: addMonths(month, monthsOfFile - 1) },
        headers: { accept: 'text/calendar' },
      })
      saveFile(`${t('calendarPage.fileName')}.ics`, await file.text(), 'text/calendar;charset=utf-8')
    },
  })
  return (
    <>
      {download.error !== null && <ErrorMessage error={download.error} />}
      <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
        {t('calendarPage.download')}
      </Button>
    </>
  )
}
