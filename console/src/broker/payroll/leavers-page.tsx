import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { DialogButton } from '../../components/dialog.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Value } from '../../components/value.tsx'
import { LeaverBalance } from '../../entities/payroll/leaver-balance.tsx'
import { noValues } from '../../entities/payroll/leaver.ts'
import { usePermission } from '../../session/use-permission.ts'
import { EmployeeSelect } from './employee-select.tsx'
import { LeaversDialog } from './leavers-dialog.tsx'
import { type LeaverOfList, readingOf } from './leavers.ts'

const route = getRouteApi('/shell/payroll/$taxId/leavers')

/** What is left to deduct from employees who leave, and its export. */
export function LeaversPage() {
  const { t } = useTranslation('payroll')
  const { taxId } = route.useParams()
  const { 'member-id': first } = route.useSearch()
  const mayRead = usePermission('readFinalBalance')
  const company = useOperation('readAnyCompany', { path: [taxId] }, { enabled: mayRead })
  return (
    <ObjectPage query={company} title={t('leaving.title')} mayRead={mayRead}>
      {({ result }) => <Leavers key={`${taxId} ${first}`} taxId={taxId} company={result.name} first={first} />}
    </ObjectPage>
  )
}

function Leavers(props: { readonly taxId: string; readonly company: string; readonly first: string | undefined }) {
  const { taxId, company, first } = props
  const { t } = useTranslation('payroll')
  const navigate = useNavigate()
  const mayExport = usePermission('createPayrollExport')
  const [leavers, setLeavers] = useState<readonly LeaverOfList[]>(
    first === undefined ? [] : [{ id: first, name: null, values: noValues }],
  )
  const change = (changed: LeaverOfList) =>
    setLeavers((all) => all.map((one) => (one.id === changed.id ? changed : one)))
  return (
    <>
      <PageHeader title={<Value>{t('leaving.titleOne', { company })}</Value>}>
        {mayExport && (
          <DialogButton
            disabled={leavers.length === 0}
            dialog={(close) => (
              <LeaversDialog
                taxId={taxId}
                leavers={leavers}
                onExported={() => navigate({ to: '/payroll', search: { 'company-tax-id': taxId } })}
                onClose={close}
              />
            )}
          >
            {t('leaving.export')}
          </DialogButton>
        )}
      </PageHeader>
      <Text size="sm" mb="md" maw="60rem">
        {t('leaving.meaning')}
      </Text>
      <EmployeeSelect
        taxId={taxId}
        chosen={leavers.map(({ id }) => id)}
        onChoose={({ id, name }) => setLeavers((all) => [...all, { id, name, values: noValues }])}
      />
      <Stack>
        {leavers.map((leaver) => (
          <LeaverCard
            key={leaver.id}
            taxId={taxId}
            leaver={leaver}
            onChange={change}
            onRemove={() => setLeavers((all) => all.filter(({ id }) => id !== leaver.id))}
          />
        ))}
      </Stack>
    </>
  )
}

function LeaverCard(props: {
  readonly taxId: string
  readonly leaver: LeaverOfList
  readonly onChange: (leaver: LeaverOfList) => void
  readonly onRemove: () => void
}) {
  const { taxId, leaver, onChange, onRemove } = props
  const { t } = useTranslation('payroll')
  const titleId = useId()
  const seesPeople = usePermission('readAnyMember')
  const person = useOperation('readAnyMember', { path: [leaver.id] }, { enabled: seesPeople && leaver.name === null })
  const name = leaver.name ?? person.data?.result.profile.name ?? null
  return (
    <Card withBorder component="section" aria-labelledby={titleId}>
      <Group justify="space-between" align="flex-start" mb="xs">
        <SectionTitle mb={0} id={titleId}>
          {name === null ? t('employee') : <Value>{name}</Value>}
        </SectionTitle>
        <Button
          size="xs"
          variant="default"
          aria-label={t('leaving.removeOne', { name: name ?? t('employee') })}
          onClick={onRemove}
        >
          {t('leaving.remove')}
        </Button>
      </Group>
      <LeaverBalance
        of={readingOf(taxId, leaver.id)}
        values={leaver.values}
        onChange={(values) => onChange({ ...leaver, values })}
      />
    </Card>
  )
}
