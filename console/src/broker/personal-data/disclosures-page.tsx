import { Anchor, Button, Group, Text, TextInput, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Item, ResponseBody } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { listOf } from '../../api/list-of.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { knownAction } from '../audit/known-action.ts'
import type { DisclosuresSearch } from './search.ts'

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

const columnsOf = (t: Texts): readonly Column<Disclosure>[] => [
  { id: 'at', header: t('personalData:at'), width: '9.5rem', cell: ({ at }) => <TimestampValue value={at} /> },
  {
    id: 'action',
    header: t('personalData:what'),
    width: 'minmax(13rem, 2fr)',
    cell: ({ action }) => actionOf(t, action),
  },
  {
    id: 'certainty',
    header: t('personalData:certainty'),
    width: '6rem',
    cell: ({ certainty }) => (
      <Badge color={certainty === 'certain' ? 'blue' : 'gray'}>{t(`personalData:certainties.${certainty}`)}</Badge>
    ),
  },
  {
    id: 'actor',
    header: t('personalData:who'),
    width: 'minmax(9rem, 1fr)',
    cell: (one) => <Value>{one['actor-name'] ?? one.actor}</Value>,
  },
  { id: 'role', header: t('personalData:role'), width: '8rem', cell: ({ role }) => roleOf(t, role) },
  {
    id: 'company',
    header: t('personalData:company'),
    width: 'minmax(9rem, 1fr)',
    cell: (one) => <TextValue value={one['company-name']} />,
  },
  { id: 'address', header: t('personalData:address'), width: '9rem', cell: (one) => <TextValue value={one.address} /> },
]

const readerColumnsOf = (t: Texts): readonly Column<Reader>[] => [
  {
    id: 'name',
    header: t('personalData:who'),
    width: 'minmax(12rem, 1fr)',
    cell: ({ name }) => <Value>{name}</Value>,
  },
  { id: 'role', header: t('personalData:role'), width: '9rem', cell: ({ role }) => roleOf(t, role) },
  {
    id: 'companies',
    header: t('personalData:companies'),
    width: 'minmax(14rem, 2fr)',
    // Operators have those of all.
    cell: (one) => {
      const taxIds = one['company-tax-ids']
      return taxIds.length === 0 ? t('personalData:allCompanies') : <Value>{taxIds.map(formatCnpj).join(', ')}</Value>
    },
  },
]

/** An instant as the field of a browser has it, in the time zone of the browser. */
function localOf(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Who saw a person between two instants, and who could. */
export function DisclosuresPage() {
  const { t } = useTranslation(['personalData', 'audit', 'terms', 'states'])
  const { memberId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = usePagedList('listMemberDisclosures', search, { path: [memberId] })
  const readers = useOperation('listMemberDisclosures', { path: [memberId], query: { ...search, 'items-per-page': 1 } })
  const change = (name: keyof DisclosuresSearch, text: string) => {
    const { [name]: _, ...others } = search
    const next = text === '' ? others : { ...others, [name]: new Date(text).toISOString() }
    void navigate({ search: next, replace: true })
  }
  return (
    <>
      <PageHeader title={t('personalData:whoSaw')}>
        <Anchor size="sm" renderRoot={(props) => <Link to="/members/$memberId" params={{ memberId }} {...props} />}>
          {t('personalData:seeMember')}
        </Anchor>
      </PageHeader>
      <Text size="sm" mb="md">
        {t('personalData:whoSawText')}
      </Text>
      <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
        <TextInput
          type="datetime-local"
          label={t('personalData:from')}
          value={localOf(search['from-at'])}
          onChange={({ currentTarget: { value } }) => change('from-at', value)}
        />
        <TextInput
          type="datetime-local"
          label={t('personalData:until')}
          value={localOf(search['until-at'])}
          onChange={({ currentTarget: { value } }) => change('until-at', value)}
        />
        {Object.keys(search).length > 0 && (
          <Button variant="default" onClick={() => void navigate({ search: {} })}>
            {t('states:clearFilters')}
          </Button>
        )}
      </Group>
      <DataTable
        label={t('personalData:whoSaw')}
        columns={columnsOf(t)}
        list={list}
        idOf={(one) => one.id}
        empty={t('personalData:nobodySaw')}
        maxHeight="50vh"
      />
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t('personalData:readers')}
      </Title>
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
    </>
  )
}
