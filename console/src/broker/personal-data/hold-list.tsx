import { Button, Group } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { CompanyLink } from '../../entities/companies/company-label.tsx'
import { Choice } from '../../components/choice.tsx'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { CpfValue } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { column, text, timestamp } from '../../lists/columns.tsx'
import { type Hold, ReleaseDialog } from './release-dialog.tsx'
import { holdStates, type ListProps } from './search.ts'

type Texts = TFunction<['erasure', 'personalData', 'states']>

const columnsOf = (
  t: Texts,
  nameOf: (clientId: string) => string,
  onRelease: (hold: Hold) => void,
): readonly Column<Hold>[] => [
  column(t('erasure:hold.of'), 'minmax(14rem, 1fr)', (hold) => <Subject hold={hold} />),
  column(t('personalData:status'), '7rem', (hold) => {
    const state = hold['released-at'] === null ? 'in-force' : 'released'
    return <Badge color={state === 'in-force' ? 'red' : 'gray'}>{t(`erasure:hold.states.${state}`)}</Badge>
  }),
  column(
    t('erasure:hold.actions'),
    '7rem',
    (hold) =>
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
  ),
  text(t('erasure:hold.reason'), 'reason', 'minmax(16rem, 2fr)'),
  timestamp(t('erasure:hold.createdAt'), 'created-at', '10rem'),
  text(t('personalData:createdBy'), (hold) => nameOf(hold['created-by'])),
  timestamp(t('erasure:hold.releasedAt'), 'released-at', '10rem'),
  text(t('erasure:hold.releaseReason'), 'release-reason', 'minmax(11rem, 1fr)'),
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
