import type { TFunction } from 'i18next'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { CompanyName } from '../../entities/companies/company-name.tsx'
import { ActDialog } from '../../components/act-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { CnpjValue } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { TextLink } from '../../components/link.tsx'
import { column } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Client } from '../../entities/clients/all-clients.ts'
import { GrantDialog } from './grant-dialog.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { DialogButton } from '../../components/dialog.tsx'

interface Row {
  readonly taxId: string
}

/** @param onEnd null: the role may not end an entitlement. */
const columnsOf = (t: TFunction<'clients'>, onEnd: ((taxId: string) => void) | null): readonly Column<Row>[] => [
  column(t('taxId'), '11rem', ({ taxId }) => (
    <TextLink to="/companies/$taxId" params={{ taxId }}>
      <CnpjValue value={taxId} />
    </TextLink>
  )),
  column(t('company'), 'minmax(12rem, 1fr)', ({ taxId }) => <CompanyName taxId={taxId} />),
  ...(onEnd !== null
    ? [
        column(t('access'), '10rem', ({ taxId }: Row) => (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('endEntitlementOf', { company: formatCnpj(taxId) })}
            onClick={() => onEnd(taxId)}
          >
            {t('endEntitlement')}
          </Button>
        )),
      ]
    : []),
]

/** The companies that the client is entitled to. */
export function Entitlements({ client }: { readonly client: Client }) {
  const { t } = useTranslation('clients')
  const mayWrite = usePermission('createClient')
  const [ended, setEnded] = useState<string | null>(null)
  const columns = columnsOf(t, mayWrite ? setEnded : null)
  return (
    <>
      <Group justify="space-between" mt="lg" mb="xs">
        <SectionTitle mb={0}>{t('entitlements')}</SectionTitle>
        {mayWrite && (
          <DialogButton dialog={(close) => <GrantDialog client={client} onClose={close} />}>{t('grant')}</DialogButton>
        )}
      </Group>
      <DataTable
        label={t('entitlements')}
        unit="companies"
        columns={columns}
        list={listOf(client['company-tax-ids'].map((taxId) => ({ taxId })))}
        idOf={({ taxId }) => taxId}
        empty={t('noEntitlement')}
        maxHeight="50vh"
      />
      {ended !== null && (
        <ActDialog
          title={t('endEntitlementTitle')}
          action={t('endEntitlement')}
          isDestructive
          act={() => api.clients.revokeCompany(client['client-id'], ended)}
          done={t('entitlementEnded', { company: formatCnpj(ended) })}
          onClose={() => setEnded(null)}
        >
          <Text size="sm">{t('endEntitlementExplanation', { name: client.name, company: formatCnpj(ended) })}</Text>
        </ActDialog>
      )}
    </>
  )
}
