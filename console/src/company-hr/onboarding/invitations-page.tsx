import { Group, NativeSelect } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ONBOARDING_STATUSES, type OnboardingStatus } from '../../../../src/movements/rules/onboarding.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { column, cpf, side, text, timestamp } from '../../lists/columns.tsx'
import { listTable } from '../../lists/list-page.tsx'
import { InvitationStatusBadge } from './invitation.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'

const Table = listTable('listOnboardingInvitations')

/** The links that the company has sent to employees, the newest first. */
export function InvitationsPage() {
  return <OfCompany>{(company) => <Invitations company={company} />}</OfCompany>
}

function Invitations({ company }: { readonly company: Company }) {
  const { t } = useTranslation('onboarding')
  const [status, setStatus] = useState<OnboardingStatus | ''>('')
  return (
    <>
      <PageHeader title={t('title')}>
        <DialogButton dialog={(close) => <InviteDialog company={company} onClose={close} />}>
          {t('invite')}
        </DialogButton>
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
      <Table
        label={t('title')}
        query={{ 'company-tax-id': company['tax-id'], ...(status === '' ? {} : { status }) }}
        options={{ client: companyApi, refetchInterval: 30_000 }}
        columns={[
          column(t('name'), 'minmax(12rem, 1fr)', (invitation) => (
            <TextLink
              to="/hr/onboarding/$invitationId"
              params={{ invitationId: invitation['invitation-id'] }}
              translate="no"
            >
              {invitation.name}
            </TextLink>
          )),
          side(t('status'), '11rem', ({ status }) => <InvitationStatusBadge status={status} />),
          cpf(t('cpf'), 'tax-id', '9rem'),
          text(
            t('products'),
            ({ products }) => products.map((product) => product['product-name']).join(', '),
            'minmax(12rem, 1fr)',
          ),
          timestamp(t('submittedAt'), 'submitted-at', '9rem'),
          timestamp(t('expiresAt'), 'expires-at', '9rem'),
        ]}
        idOf={(invitation) => invitation['invitation-id']}
      />
    </>
  )
}
