import { Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { RequestBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Message, QueryView } from '../../components/state-view.tsx'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { MovementClientProvider } from '../../entities/movement-forms/client.ts'
import { TableClientProvider } from '../../entities/movement-sheets/client.ts'
import { operatorRosters, RosterClientProvider, type RosterSyncBody } from '../../entities/rosters/client.ts'
import { doubtsOf, NewList } from '../../entities/rosters/new-list.tsx'
import { present } from '../../lists/search.ts'
import { IntakePanel } from '../new-movement/intake-panel.tsx'
import { useIntake } from '../new-movement/intake.ts'
import { useOperatorMovements, useWithIntake } from '../new-movement/operator-movements.ts'
import { operatorTables } from '../new-movement/operator-tables.ts'
import { focusStep } from '../new-movement/steps.ts'

const route = getRouteApi('/shell/rosters/new')

/** A list of who should be covered that came to the broker: how it came, its company, and the list. */
export function NewRosterPage() {
  const { t } = useTranslation(['rosters', 'intake'])
  const { company: companyTaxId, doubts } = route.useSearch()
  const navigate = useNavigate()
  const intake = useIntake()
  const client = useOperatorMovements(intake)
  const withIntake = useWithIntake(intake)
  const path = [companyTaxId ?? '']
  const company = useOperation('readAnyCompany', { path }, { enabled: companyTaxId !== undefined })
  const send = withIntake((body: RequestBody<'createRosterSyncOfCompany'>, options: { idempotencyKey: string }) =>
    api.roster.create(body, options),
  )
  return (
    <RosterClientProvider value={operatorRosters}>
      <MovementClientProvider value={client}>
        <TableClientProvider value={operatorTables}>
          <PageHeader title={t('rosters:newList')} />
          <Stack gap="md">
            <Text size="sm" c="dimmed" maw="80ch">
              {t('rosters:help')}
            </Text>
            <IntakePanel state={intake} onDone={() => focusStep('company')} />
            <div data-step="company">
              <CompanySelect
                label={t('rosters:company')}
                required
                enterChooses
                value={companyTaxId ?? null}
                onChange={(taxId) =>
                  void navigate({ to: '/rosters/new', search: present({ company: taxId ?? undefined }), replace: true })
                }
              />
            </div>
            {companyTaxId === undefined ? (
              <Message title={t('rosters:company')}>{t('rosters:chooseCompany')}</Message>
            ) : (
              <QueryView query={company}>
                {({ result }) => (
                  <NewList
                    key={companyTaxId}
                    company={result}
                    doubts={doubtsOf(doubts)}
                    create={(body: RosterSyncBody) => send(body, { idempotencyKey: crypto.randomUUID() })}
                    onSent={(rosterSyncId) => navigate({ to: '/rosters/$rosterSyncId', params: { rosterSyncId } })}
                  />
                )}
              </QueryView>
            )}
          </Stack>
        </TableClientProvider>
      </MovementClientProvider>
    </RosterClientProvider>
  )
}
