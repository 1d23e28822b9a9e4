import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField, ShownOnceDialog } from '../../entities/accounts/shown-once-dialog.tsx'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { notifyDone } from '../../components/notify.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden, QueryView } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ChannelForm } from './channel-form.tsx'
import { channelBodyOf, type ChannelSettings, type ChannelValues, channelValuesOf } from './channel-values.ts'
import type { Contract } from './contract-values.ts'
import { useReplacing } from '../../forms/page-form.tsx'

const route = getRouteApi('/shell/carriers/contracts/$contractId/channel')

export function ChannelPage() {
  const { t } = useTranslation('carriers')
  const { contractId } = route.useParams()
  const mayWrite = usePermission('putContractChannel')
  const contract = useOperation('readContract', { path: [contractId] }, { enabled: mayWrite })
  const settings = useOperation('readContractChannel', { path: [contractId] }, { enabled: mayWrite })
  if (mayWrite && contract.data !== undefined && settings.data !== undefined) {
    return <EditChannel contract={contract.data.result} settings={settings.data.result} />
  }
  return (
    <>
      <PageHeader title={t('channelSettings')} />
      {mayWrite ? (
        <QueryView query={contract}>{() => <QueryView query={settings}>{() => null}</QueryView>}</QueryView>
      ) : (
        <Forbidden />
      )}
    </>
  )
}

function EditChannel({ contract, settings }: { readonly contract: Contract; readonly settings: ChannelSettings }) {
  const { t } = useTranslation(['carriers', 'terms'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { 'contract-id': contractId, channel } = contract
  const template = { subject: t('carriers:channelForm.firstSubject'), text: t('carriers:channelForm.firstText') }
  const [secret, setSecret] = useState<string | null>(null)
  const leave = () => navigate({ to: '/carriers/contracts/$contractId', params: { contractId }, ignoreBlocker: true })
  const { base, initialValues, saving, reset } = useReplacing(settings, {
    valuesOf: (stored) => channelValuesOf(stored, template),
    read: () => api.contracts.channel(contractId),
    put: (values: ChannelValues) => api.contracts.putChannel(contractId, channelBodyOf(values)),
    isSecret: true,
    onSaved: async ({ connector }) => {
      notifyDone(t('carriers:channelForm.saved', { number: contract['contract-number'] }))
      void queryClient.invalidateQueries({ queryKey: ['readContractChannel'] })
      const made = connector?.secret ?? null
      if (made === null) await leave()
      else setSecret(made)
    },
    changed: t('carriers:form.changedMeanwhile'),
    load: t('carriers:form.loadCurrent'),
  })
  const closeSecret = () => {
    setSecret(null)
    reset()
    void leave()
  }
  return (
    <>
      <PageHeader title={t('carriers:channelForm.title', { number: contract['contract-number'] })} />
      <Text size="sm" mb="md">
        {channel === null
          ? t('carriers:channelForm.noChannel')
          : t('carriers:channelForm.usedChannel', { channel: t(`terms:contractChannel.${channel}`) })}
      </Text>
      <ChannelForm key={JSON.stringify(base)} stored={base} initialValues={initialValues} saving={saving} />
      <ShownOnceDialog
        opened={secret !== null}
        title={t('carriers:channelForm.secretTitle')}
        explanation={t('carriers:channelForm.secretExplanation')}
        onClose={closeSecret}
      >
        {secret !== null && (
          <CopyField
            label={t('carriers:channelForm.secret')}
            copy={t('carriers:channelForm.copySecret')}
            value={secret}
            isFirst
          />
        )}
      </ShownOnceDialog>
    </>
  )
}
