import { Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Item, ResponseBody } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { listOf } from '../../api/list-of.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Value } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { TextLink } from '../../components/link.tsx'
import { timestamp, column, text } from '../../lists/columns.tsx'
import { knownAction } from '../../entities/audit/known-action.ts'
import { Filters, useFilters } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const List = listPage('listMemberDisclosures')
const route = getRouteApi('/shell/members/$memberId/disclosures')

type Disclosure = Item<'listMemberDisclosures'>
type Reader = NonNullable<ResponseBody<'listMemberDisclosures'>['readers']>[number]
type Texts = TFunction<['personalData', 'audit', 'terms']>

const roleOf = (t: Texts, role: Disclosure['role']): string =>
  role === null ? '–' : role === 'client' ? t('personalData:client') : t(`terms:role.${role}`)

function actionOf(t: Texts, action: string): string {
  const known = knownAction(action)
  return known === undefined ? action : t(`audit:actions.${known}`)
}

const readerColumnsOf = (t: Texts): readonly Column<Reader>[] => [
  text(t('personalData:who'), 'name', 'minmax(12rem, 1fr)'),
  column(t('personalData:role'), '9rem', ({ role }) => roleOf(t, role)),
  // Operators have those of all.
  column(t('personalData:companies'), 'minmax(14rem, 2fr)', ({ 'company-tax-ids': taxIds }) =>
    taxIds.length === 0 ? t('personalData:allCompanies') : <Value>{taxIds.map(formatCnpj).join(', ')}</Value>,
  ),
]

/** An instant as the field of a browser has it, in the time zone of the browser. */
function localOf(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Who saw a person between two instants, and who could. */
export function DisclosuresPage() {
  const { t } = useTranslation(['personalData', 'audit', 'terms'])
  const { memberId } = route.useParams()
  const search = route.useSearch()
  const readers = useOperation('listMemberDisclosures', { path: [memberId], query: { ...search, 'items-per-page': 1 } })
  return (
    <List
      title={t('personalData:whoSaw')}
      options={{ path: [memberId] }}
      actions={
        <TextLink to="/members/$memberId" params={{ memberId }}>
          {t('personalData:seeMember')}
        </TextLink>
      }
      filters={
        <>
          <Text size="sm" mb="md">
            {t('personalData:whoSawText')}
          </Text>
          <Filters>
            <InstantFilter name="from-at" label={t('personalData:from')} />
            <InstantFilter name="until-at" label={t('personalData:until')} />
          </Filters>
        </>
      }
      columns={[
        timestamp(t('personalData:at'), 'at'),
        column(t('personalData:what'), 'minmax(13rem, 2fr)', ({ action }) => actionOf(t, action)),
        column(t('personalData:certainty'), '6rem', ({ certainty }) => (
          <Badge color={certainty === 'certain' ? 'blue' : 'gray'}>{t(`personalData:certainties.${certainty}`)}</Badge>
        )),
        text(t('personalData:who'), (one) => one['actor-name'] ?? one.actor),
        column(t('personalData:role'), '8rem', ({ role }) => roleOf(t, role)),
        text(t('personalData:company'), 'company-name'),
        text(t('personalData:address'), 'address', '9rem'),
      ]}
      idOf={(one) => one.id}
      empty={t('personalData:nobodySaw')}
      maxHeight="50vh"
    >
      <SectionTitle mt="lg">{t('personalData:readers')}</SectionTitle>
      <Text size="sm" mb="xs">
        {t('personalData:readersText')}
      </Text>
      <DataTable
        label={t('personalData:readers')}
        unit="lines"
        columns={readerColumnsOf(t)}
        list={listOf(readers.data?.readers ?? [])}
        idOf={(one) => one['client-id']}
        maxHeight="40vh"
      />
    </List>
  )
}

function InstantFilter({ name, label }: { readonly name: 'from-at' | 'until-at'; readonly label: string }) {
  const { search, change } = useFilters()
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={localOf(search[name])}
      onChange={({ currentTarget: { value } }) =>
        change({ [name]: value === '' ? undefined : new Date(value).toISOString() })
      }
    />
  )
}
