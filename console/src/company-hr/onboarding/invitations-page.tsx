import { Anchor, Button, Group, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Company } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ONBOARDING_STATUSES, type OnboardingStatus } from '../../../../src/movements/rules/onboarding.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CpfValue, TextValue, TimestampValue } from '../../components/value.tsx'
import { type Invitation, InvitationStatusBadge } from './invitation.tsx'
import { InviteDialog } from './invite-dialog.tsx'

const columnsOf = (t: TFunction<'onboarding'>): readonly Column<Invitation>[] => [
  {
    id: 'name',
    header: t('name'),
    width: 'minmax(12rem, 1fr)',
    cell: (invitation) => (
      <Anchor
        size="sm"
        translate="no"
        renderRoot={(props) => (
          <Link to="/hr/onboarding/$invitationId" params={{ invitationId: invitation['invitation-id'] }} {...props} />
        )}
      >
        {invitation.name}
      </Anchor>
    ),
  },
  {
    id: 'status',
    header: t('status'),
    width: '11rem',
    cell: ({ status }) => <InvitationStatusBadge status={status} />,
  },
  { id: 'tax-id', header: t('cpf'), width: '9rem', cell: (one) => <CpfValue value={one['tax-id']} /> },
  {
    id: 'products',
    header: t('products'),
    width: 'minmax(12rem, 1fr)',
    cell: ({ products }) => <TextValue value={products.map((product) => product['product-name']).join(', ')} />,
  },
  {
    id: 'submitted-at',
    header: t('submittedAt'),
    width: '9rem',
    cell: (one) => <TimestampValue value={one['submitted-at']} />,
  },
  {
    id: 'expires-at',
    header: t('expiresAt'),
    width: '9rem',
    cell: (one) => <TimestampValue value={one['expires-at']} />,
  },
]

/** The links that the company has sent to employees, the newest first. */
export function InvitationsPage() {
  return <OfCompany>{(company) => <Invitations company={company} />}</OfCompany>
}

function Invitations({ company }: { readonly company: Company }) {
  const { t } = useTranslation('onboarding')
  const [isInviting, setInviting] = useState(false)
  const [status, setStatus] = useState<OnboardingStatus | ''>('')
  const list = usePagedList(
    'listOnboardingInvitations',
    { 'company-tax-id': company['tax-id'], ...(status === '' ? {} : { status }) },
    { client: companyApi, refetchInterval: 30_000 },
  )
  return (
    <>
      <PageHeader title={t('title')}>
        <Button onClick={() => setInviting(true)}>{t('invite')}</Button>
      </PageHeader>
      <Group mb="sm">
        <NativeSelect
          label={t('status')}
          value={status}
          data={[
            { value: '', label: t('all') },
            ...ONBOARDING_STATUSES.map((one) => ({ value: one, label: t(`statuses.${one}`) })),
          ]}
          onChange={({ currentTarget: { value } }) => setStatus(value as OnboardingStatus | '')}
        />
      </Group>
      <DataTable
        label={t('title')}
        columns={columnsOf(t)}
        list={list}
        idOf={(invitation) => invitation['invitation-id']}
      />
      <InviteDialog company={company} opened={isInviting} onClose={() => setInviting(false)} />
    </>
  )
}
