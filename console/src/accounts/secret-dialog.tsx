import { Alert, Button, Checkbox, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewSecret } from './accounts.ts'

/**
 * A new secret, which the service does not show again. Neither Escape, a click beside the dialog, nor going back closes it: only its button does,
 * once the box is checked.
 */
export function SecretDialog(props: {
  /** null: the dialog is closed. */
  readonly secret: NewSecret | null
  readonly title: string
  readonly onClose: () => void
}) {
  const { secret, title, onClose } = props
  const { t } = useTranslation('accounts')
  const [isStored, setIsStored] = useState(false)
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, disabled: secret === null })
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      onExitTransitionEnd={() => setIsStored(false)}
    >
      {secret !== null && (
        <Stack>
          <Alert color="orange" title={t('shownOnceTitle')}>
            <Text size="sm">{t('shownOnce')}</Text>
          </Alert>
          <CopyField label={t('clientId')} copy={t('copyClientId')} value={secret['client-id']} />
          <CopyField label={t('clientSecret')} copy={t('copyClientSecret')} value={secret['client-secret']} isFirst />
          <Checkbox
            label={t('isStored')}
            checked={isStored}
            onChange={({ currentTarget: { checked } }) => setIsStored(checked)}
          />
          <Group justify="flex-end">
            <Button disabled={!isStored} onClick={onClose}>
              {t('done')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

function CopyField(props: {
  readonly label: string
  readonly copy: string
  readonly value: string
  readonly isFirst?: boolean
}) {
  const { t } = useTranslation('states')
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <TextInput
        label={props.label}
        value={props.value}
        readOnly
        flex={1}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton value={props.value}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            miw="6.5rem"
            aria-label={copied ? `${props.copy}: ${t('copied')}` : props.copy}
            onClick={copy}
            {...(props.isFirst ? { 'data-autofocus': true } : {})}
          >
            <span aria-live="polite">{copied ? t('copied') : t('copy')}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
