import { Button, Group } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { CompanyLink } from '../../entities/companies/company-label.tsx'
import { Choice } from '../../components/choice.tsx'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { CpfValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { type Hold, ReleaseDialog } from './release-dialog.tsx'
import { holdStates, type ListProps } from './search.ts'

type Texts = TFunction<['erasure', 'personalData', 'states']>

const columnsOf = (
  t: Texts,
  nameOf: (clientId: string) => string,
  onRelease: (hold: Hold) => void,
): readonly Column<Hold>[] => [
  {
    id: 'of',
    header: t('erasure:hold.of'),
    width: 'minmax(14rem, 1fr)',
    cell: (hold) => <Subject hold={hold} />,
  },
  {
    id: 'state',
    header: t('personalData:status'),
    width: '7rem',
    cell: (hold) => {
      const state = hold['released-at'] === null ? 'in-force' : 'released'
      return <Badge color={state === 'in-force' ? 'red' : 'gray'}>{t(`erasure:hold.states.${state}`)}</Badge>
    },
  },
  {
    id: 'acts',
    header: t('erasure:hold.actions'),
    width: '7rem',
    cell: (hold) =>
      hold['released-at'] === null && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('erasure:hold.releaseOf', { subject: hold['company-name'] ?? hold['tax-id'] ?? '' })}
          translate="no"
          onClick={() => onRelease(hold)}
        >
          <span translate="yes">{t('erasure:hold.releaseShort')}</span>
        </Button>
      ),
  },
  {
    id: 'reason',
    header: t('erasure:hold.reason'),
    width: 'minmax(16rem, 2fr)',
    cell: ({ reason }) => <TextValue value={reason} />,
  },
  {
    id: 'set',
    header: t('erasure:hold.createdAt'),
    width: '10rem',
    cell: (hold) => <TimestampValue value={hold['created-at']} />,
  },
  {
    id: 'by',
    header: t('personalData:createdBy'),
    width: 'minmax(9rem, 1fr)',
    cell: (hold) => <Value>{nameOf(hold['created-by'])}</Value>,
  },
  {
    id: 'released',
    header: t('erasure:hold.releasedAt'),
    width: '10rem',
    cell: (hold) => <TimestampValue value={hold['released-at']} />,
  },
  {
    id: 'why',
    header: t('erasure:hold.releaseReason'),
    width: 'minmax(11rem, 1fr)',
    cell: (hold) => <TextValue value={hold['release-reason']} />,
  },
]

/** A company, or a person; neither once the person is erased. */
function Subject({ hold }: { readonly hold: Hold }) {
  const { t } = useTranslation('personalData')
  const taxId = hold['company-tax-id']
  if (taxId !== null) return <CompanyLink taxId={taxId} name={hold['company-name']} />
  return hold['tax-id'] === null ? t('erased') : <CpfValue value={hold['tax-id']} />
}

/** The people of whom nothing may be deleted, and those of whom it was so. */
export function HoldList({ search, onChange }: ListProps) {
  const { t } = useTranslation(['erasure', 'personalData', 'states'])
  const nameOf = useOperatorNames()
  const [released, setReleased] = useState<Hold | null>(null)
  const { hold } = search
  return (
    <>
      <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
        <Choice
          label={t('personalData:status')}
          any={t('personalData:any')}
          value={hold}
          onChange={(state) => onChange({ hold: state })}
          data={holdStates.map((value) => ({ value, label: t(`erasure:hold.states.${value}`) }))}
        />
      </Group>
      <DataTable
        label={t('personalData:views.holds')}
        columns={columnsOf(t, nameOf, setReleased)}
        list={usePagedList('listLegalHolds', hold === undefined ? {} : { 'in-force': hold === 'in-force' })}
        idOf={(one) => one['legal-hold-id']}
        empty={t(hold === undefined ? 'erasure:hold.none' : 'erasure:hold.empty')}
      />
      {released !== null && <ReleaseDialog hold={released} onClose={() => setReleased(null)} />}
    </>
  )
}
