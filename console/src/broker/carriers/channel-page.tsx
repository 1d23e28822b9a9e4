import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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

const route = getRouteApi('/shell/carriers/contracts/$contractId/channel')

/** The settings are others than those that were edited. */
class ChangedSettingsError extends Error {
  readonly current: ChannelSettings

  constructor(current: ChannelSettings) {
    super('the settings were changed meanwhile')
    this.current = current
  }
}

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
  const { t } = useTranslation(['carriers', 'terms', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { 'contract-id': contractId, channel } = contract
  const template = { subject: t('carriers:channelForm.firstSubject'), text: t('carriers:channelForm.firstText') }
  // What the form began with: the query is read again while a person writes.
  const [base, setBase] = useState(settings)
  const [secret, setSecret] = useState<string | null>(null)
  const leave = () => navigate({ to: '/carriers/contracts/$contractId', params: { contractId }, ignoreBlocker: true })
  const save = useMutation({
    mutationFn: async (values: ChannelValues) => {
      const current = await api.contracts.channel(contractId)
      if (JSON.stringify(current) !== JSON.stringify(base)) throw new ChangedSettingsError(current)
      return api.contracts.putChannel(contractId, channelBodyOf(values))
    },
    // The secret is not to stay in memory.
    gcTime: 0,
    onSuccess: async ({ connector }) => {
      notifyDone(t('carriers:channelForm.saved', { number: contract['contract-number'] }))
      void queryClient.invalidateQueries({ queryKey: ['readContractChannel'] })
      const made = connector?.secret ?? null
      if (made === null) await leave()
      else setSecret(made)
    },
  })
  const { error } = save
  const load = (current: ChannelSettings) => {
    setBase(current)
    save.reset()
  }
  const closeSecret = () => {
    setSecret(null)
    save.reset()
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
      <ChannelForm
        key={JSON.stringify(base)}
        stored={base}
        initialValues={channelValuesOf(base, template)}
        save={(values) => save.mutateAsync(values)}
        isSaving={save.isPending}
        error={error}
        {...(error instanceof ChangedSettingsError
          ? {
              notice: (
                <Alert color="orange" role="alert" title={t('states:conflictTitle')}>
                  <Stack gap="xs" align="flex-start">
                    <Text size="sm">{t('carriers:form.changedMeanwhile')}</Text>
                    <Button size="xs" variant="default" onClick={() => load(error.current)}>
                      {t('carriers:form.loadCurrent')}
                    </Button>
                  </Stack>
                </Alert>
              ),
            }
          : {})}
      />
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
