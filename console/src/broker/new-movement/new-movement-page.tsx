import { Input, Kbd, SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { MOVEMENT_KINDS, type MovementKind } from '../../../../src/kernel/enums.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { MovementClientProvider } from '../../entities/movement-forms/client.ts'
import { present } from '../../lists/search.ts'
import { useHasKeys } from '../../shell/use-page-keys.ts'
import { IntakePanel } from './intake-panel.tsx'
import { useIntake } from './intake.ts'
import { MemberSelect } from './member-select.tsx'
import { MovementForm } from './movement-form.tsx'
import { useOperatorMovements } from './operator-movements.ts'
import { Sent } from './sent.tsx'
import { focusStep, type Step, useStepFocus } from './steps.ts'
import { useMovementKeys } from './use-movement-keys.ts'

const route = getRouteApi('/shell/movements/new')

/** A movement that the broker requests: how it was asked for, what it is and of whom, and the form that the people of companies have. */
export function NewMovementPage() {
  const { t } = useTranslation(['intake', 'terms'])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // Each movement has its own form, also where it is of the same person as the one before.
  const movement = useRouterState({ select: ({ location }) => location.state.movement ?? 0 })
  const intake = useIntake()
  const client = useOperatorMovements(intake)
  const [hasKeys] = useHasKeys()
  const { kind, person } = search
  const memberQuery = useQuery({
    ...operationQuery('readAnyMember', { path: [person ?? ''], query: { disclose: true } }),
    enabled: person !== undefined,
  })
  const member = person === undefined ? undefined : memberQuery.data?.result
  const companies = [...new Set(member?.benefits.map((benefit) => benefit['company-tax-id']))]
  const companyTaxId = search.company ?? (companies.length === 1 ? companies[0] : undefined)
  const companyPath = { path: [companyTaxId ?? ''] }
  const companyQuery = useOperation('readAnyCompany', companyPath, { enabled: companyTaxId !== undefined })
  const choose = (changed: { [Name in keyof typeof search]?: (typeof search)[Name] | undefined }) =>
    void navigate({ search: present({ ...search, ...changed }), replace: true, state: true })
  const chooseKind = (chosen: MovementKind) => choose({ kind: chosen })
  const next = () =>
    void navigate({
      search: present({ company: companyTaxId }),
      replace: true,
      state: { movement: movement + 1 },
    })
  const nextIntake = () => {
    intake.clear()
    void navigate({ search: {}, replace: true, state: { movement: movement + 1 } })
  }
  useMovementKeys({ chooseKind, next, nextIntake })
  const needsPerson = kind !== 'inclusion'
  const step = ((): Step => {
    if (kind === undefined) return 'kind'
    if (needsPerson && person === undefined) return 'person'
    return companyTaxId === undefined ? 'company' : 'form'
  })()
  useStepFocus(step, intake.intake.medium === '', movement)
  return (
    <MovementClientProvider value={client}>
      <PageHeader title={t('intake:newMovement')}>
        <ButtonLink to="/movements/new/spreadsheet" search={present({ company: companyTaxId })} variant="default">
          {t('intake:spreadsheet')}
        </ButtonLink>
      </PageHeader>
      <Stack gap="md">
        <div data-step="intake">
          <IntakePanel state={intake} onDone={() => focusStep(step)} />
        </div>
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm" verticalSpacing="xs">
          <Input.Wrapper label={t('intake:kind')} labelElement="div" data-step="kind">
            <SegmentedControl
              fullWidth
              aria-label={t('intake:kind')}
              data={MOVEMENT_KINDS.map((value) => ({
                value,
                label: (
                  <>
                    {t(`terms:type.${value}`)}{' '}
                    {hasKeys && (
                      <Kbd translate="no" aria-hidden>
                        {value.slice(0, 1)}
                      </Kbd>
                    )}
                  </>
                ),
              }))}
              value={kind ?? ''}
              onChange={(value) => chooseKind(value as MovementKind)}
            />
          </Input.Wrapper>
          <div data-step="company">
            <CompanySelect
              label={t('intake:company')}
              required
              enterChooses
              value={companyTaxId ?? null}
              onChange={(taxId) => choose({ company: taxId ?? undefined })}
            />
          </div>
          <div data-step="person">
            <MemberSelect
              label={t(needsPerson ? 'intake:person' : 'intake:primary')}
              companyTaxId={search.company}
              chosen={member}
              onChange={(id) => choose({ person: id })}
            />
          </div>
        </SimpleGrid>
        {person !== undefined && member === undefined ? (
          <QueryView query={memberQuery}>{() => null}</QueryView>
        ) : (
          kind !== undefined &&
          step === 'form' && (
            <div data-step="form" key={`${kind} ${companyTaxId} ${person} ${movement}`}>
              <QueryView query={companyQuery}>
                {({ result }) => (
                  <MovementForm
                    kind={kind}
                    company={result}
                    member={member ?? null}
                    sent={(accepted, names) => (
                      <Sent accepted={accepted} names={names} onNext={next} onNextIntake={nextIntake} />
                    )}
                  />
                )}
              </QueryView>
            </div>
          )
        )}
      </Stack>
    </MovementClientProvider>
  )
}
