import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CompanyLink } from '../../entities/companies/company-label.tsx'
import { Badge } from '../../components/badge.tsx'
import { CpfValue } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { column, side, text, timestamp } from '../../lists/columns.tsx'
import { type Hold, ReleaseDialog } from './release-dialog.tsx'
import { holdStates } from './search.ts'
import { listTable } from '../../lists/list-page.tsx'
import { ChoiceFilter, useFilters } from '../../lists/filters.tsx'

const Table = listTable('listLegalHolds')

/** The people of whom nothing may be deleted, and those who were held before. */
export function HoldList() {
  const { t } = useTranslation(['erasure', 'personalData', 'states'])
  const nameOf = useOperatorNames()
  const [released, setReleased] = useState<Hold | null>(null)
  const { hold: state } = useFilters().search
  return (
    <>
      <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
        <ChoiceFilter
          name="hold"
          label={t('personalData:status')}
          any={t('personalData:any')}
          data={holdStates.map((value) => ({ value, label: t(`erasure:hold.states.${value}`) }))}
        />
      </Group>
      <Table
        label={t('personalData:views.holds')}
        query={state === undefined ? {} : { 'in-force': state === 'in-force' }}
        columns={[
          column(t('erasure:hold.of'), 'minmax(14rem, 1fr)', (hold) => <Subject hold={hold} />),
          side(t('personalData:status'), '7rem', (hold) => {
            const isReleased = hold['released-at'] !== null
            return (
              <Badge color={isReleased ? 'gray' : 'red'}>
                {t(`erasure:hold.states.${isReleased ? 'released' : 'in-force'}`)}
              </Badge>
            )
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
                  onClick={() => setReleased(hold)}
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
        ]}
        idOf={(one) => one['legal-hold-id']}
        empty={t(state === undefined ? 'erasure:hold.none' : 'erasure:hold.empty')}
      />
      {released !== null && <ReleaseDialog hold={released} onClose={() => setReleased(null)} />}
    </>
  )
}

/** A company, or a person; neither once the person is erased. */
function Subject({ hold }: { readonly hold: Hold }) {
  const { t } = useTranslation('personalData')
  const taxId = hold['company-tax-id']
  if (taxId !== null) return <CompanyLink taxId={taxId} name={hold['company-name']} />
  return hold['tax-id'] === null ? t('erased') : <CpfValue value={hold['tax-id']} />
}
