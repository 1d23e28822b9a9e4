import { Alert, Button, Checkbox, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Something secret, which the service does not show again. Neither Escape, a click beside the dialog, nor going back closes it: only its button
 * does, once the box is checked.
 */
export function ShownOnceDialog(props: {
  readonly opened: boolean
  readonly title: string
  readonly isLink?: boolean
  readonly explanation: string
  /** The fields to copy. */
  readonly children: ReactNode
  readonly onClose: () => void
}) {
  const { opened, title, explanation, children, onClose, isLink = false } = props
  const { t } = useTranslation('accounts')
  const [isStored, setIsStored] = useState(false)
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, disabled: !opened })
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      onExitTransitionEnd={() => setIsStored(false)}
    >
      <Stack>
        <Alert color="orange" title={t(isLink ? 'linkShownOnceTitle' : 'shownOnceTitle')}>
          <Text size="sm">{explanation}</Text>
        </Alert>
        {children}
        <Checkbox
          label={t(isLink ? 'isLinkStored' : 'isStored')}
          checked={isStored}
          onChange={({ currentTarget: { checked } }) => setIsStored(checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={onClose}>
            {t('done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** A text with a button that copies it. @param props.copy the name of the button. */
export function CopyField(props: {
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
