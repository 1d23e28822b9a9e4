import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from './error-message.tsx'

/** A question before what cannot be undone. The error of the action is shown in it. */
export function ConfirmDialog(props: {
  readonly opened: boolean
  readonly title: string
  /** What happens, in a sentence. */
  readonly children: ReactNode
  /** The label of the button that does it. */
  readonly action: string
  /** Whether it deletes, revokes or ends something. */
  readonly isDestructive?: boolean
  readonly isPending: boolean
  /** Until what the question asks for is there. */
  readonly isDisabled?: boolean
  readonly error: Error | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation('states')
  const { opened } = props
  // Mantine returns the focus only where the dialog stays in the document.
  useEffect(() => {
    const opener = opened ? document.activeElement : null
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [opened])
  return (
    <Modal opened={opened} onClose={props.onClose} title={props.title} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        {props.children}
        {props.error !== null && <ErrorMessage error={props.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button
            {...(props.isDestructive === true ? { color: 'red' } : {})}
            loading={props.isPending}
            disabled={props.isDisabled ?? false}
            onClick={props.onConfirm}
          >
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
