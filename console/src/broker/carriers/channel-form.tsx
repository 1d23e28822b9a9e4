import {
  Checkbox,
  Fieldset,
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { DELIVERY_MODES, EMAIL_PLACEHOLDERS } from '../../../../src/exchange/rules/channel.ts'
import { Value } from '../../components/value.tsx'
import type { ChannelSettings, ChannelValues } from './channel-values.ts'
import { PageForm, type Saving } from '../../forms/page-form.tsx'

const inputs = [
  'to',
  'cc',
  'subject',
  'text',
  'host',
  'port',
  'user',
  'host-key',
  'out-folder',
  'in-folder',
  'password',
  'private-key',
  'url',
]

const order = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[]

interface PartProps {
  readonly form: UseFormReturnType<ChannelValues>
  readonly stored: ChannelSettings
}

/** The channels of a contract. */
export function ChannelForm(props: {
  readonly stored: ChannelSettings
  readonly initialValues: ChannelValues
  readonly saving: Saving<ChannelValues>
}) {
  const { t } = useTranslation('carriers')
  const { stored } = props
  const form = useForm<ChannelValues>({ initialValues: props.initialValues })
  return (
    <PageForm form={form} saving={props.saving} fields={inputs}>
      <Select
        label={t('deliver')}
        description={t('channelForm.deliverDescription')}
        inputWrapperOrder={order}
        allowDeselect={false}
        maw="30rem"
        data={DELIVERY_MODES.map((value) => ({ value, label: t(`deliveries.${value}`) }))}
        {...form.getInputProps('deliver')}
      />
      <EmailFields form={form} />
      <ServerFields form={form} stored={stored} />
      <ConnectorFields form={form} stored={stored} />
    </PageForm>
  )
}

/** The e-mail that a person sends. */
function EmailFields({ form }: Pick<PartProps, 'form'>) {
  const { t } = useTranslation(['carriers', 'terms'])
  return (
    <Fieldset legend={t('terms:contractChannel.email')}>
      <Stack gap="xs">
        <Checkbox
          label={t('carriers:channelForm.hasEmail')}
          {...form.getInputProps('hasEmail', { type: 'checkbox' })}
        />
        {form.values.hasEmail && (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label={t('carriers:channelForm.to')}
                description={t('carriers:channelForm.addresses')}
                inputWrapperOrder={order}
                required
                {...form.getInputProps('email.to')}
              />
              <TextInput label={t('carriers:channelForm.cc')} {...form.getInputProps('email.cc')} />
            </SimpleGrid>
            <TextInput label={t('carriers:subject')} required {...form.getInputProps('email.subject')} />
            <Textarea
              label={t('carriers:channelForm.text')}
              required
              autosize
              minRows={4}
              {...form.getInputProps('email.text')}
            />
            <Text size="sm">
              {t('carriers:channelForm.placeholders')}{' '}
              <Value>{EMAIL_PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}</Value>
            </Text>
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

/** The server of the carrier. Its secrets can be written, not read. */
function ServerFields({ form, stored: { sftp } }: PartProps) {
  const { t } = useTranslation(['carriers', 'terms'])
  const { host, 'host-key': hostKey } = form.values.sftp
  // To another server the service does not take the secrets of the former one.
  const isSame = sftp !== null && sftp.host === host.trim() && sftp['host-key'] === hostKey.trim()
  const secretOf = (has: boolean | undefined) =>
    t(has && isSame ? 'carriers:channelForm.secretStays' : 'carriers:channelForm.secretHidden')
  const text = (name: 'host' | 'user' | 'out-folder', label: string) => (
    <TextInput label={label} required autoComplete="off" {...form.getInputProps(`sftp.${name}`)} />
  )
  return (
    <Fieldset legend={t('terms:contractChannel.sftp')}>
      <Stack gap="xs">
        <Checkbox label={t('carriers:channelForm.hasSftp')} {...form.getInputProps('hasSftp', { type: 'checkbox' })} />
        {form.values.hasSftp && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {text('host', t('carriers:channelForm.host'))}
            <NumberInput
              label={t('carriers:channelForm.port')}
              required
              allowDecimal={false}
              allowNegative={false}
              clampBehavior="none"
              thousandSeparator=""
              hideControls
              {...form.getInputProps('sftp.port')}
            />
            {text('user', t('carriers:channelForm.user'))}
            <TextInput
              label={t('carriers:hostKey')}
              description={t('carriers:channelForm.hostKeyDescription')}
              inputWrapperOrder={order}
              required
              autoComplete="off"
              {...form.getInputProps('sftp.host-key')}
            />
            {text('out-folder', t('carriers:folder'))}
            <TextInput
              label={t('carriers:inFolder')}
              description={t('carriers:channelForm.inFolderDescription')}
              inputWrapperOrder={order}
              autoComplete="off"
              {...form.getInputProps('sftp.in-folder')}
            />
            <PasswordInput
              label={t('carriers:password')}
              description={secretOf(sftp?.['has-password'])}
              inputWrapperOrder={order}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': t('carriers:channelForm.showPassword') }}
              {...form.getInputProps('sftp.password')}
            />
            <Textarea
              label={t('carriers:privateKey')}
              description={secretOf(sftp?.['has-private-key'])}
              inputWrapperOrder={order}
              autoComplete="off"
              spellCheck={false}
              autosize
              minRows={1}
              maxRows={8}
              {...form.getInputProps('sftp.private-key')}
            />
          </SimpleGrid>
        )}
      </Stack>
    </Fieldset>
  )
}

/** The program that takes shipments. The key of its signatures is made by the service. */
function ConnectorFields({ form, stored: { connector } }: PartProps) {
  const { t } = useTranslation(['carriers', 'terms'])
  return (
    <Fieldset legend={t('terms:contractChannel.connector')}>
      <Stack gap="xs">
        <Checkbox
          label={t('carriers:channelForm.hasConnector')}
          {...form.getInputProps('hasConnector', { type: 'checkbox' })}
        />
        {form.values.hasConnector && (
          <>
            <TextInput
              label={t('carriers:connector')}
              description={connector === null ? t('carriers:channelForm.secretComes') : undefined}
              inputWrapperOrder={order}
              required
              autoComplete="off"
              {...form.getInputProps('connector.url')}
            />
            {connector !== null && (
              <Checkbox
                label={t('carriers:channelForm.newSecret')}
                description={t('carriers:channelForm.newSecretDescription')}
                {...form.getInputProps('connector.new-secret', { type: 'checkbox' })}
              />
            )}
          </>
        )}
      </Stack>
    </Fieldset>
  )
}
