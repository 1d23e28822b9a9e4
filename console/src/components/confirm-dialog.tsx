import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from './error-message.tsx'
import { Dialog } from './dialog.tsx'

/** A question before what cannot be undone. The error of the action is shown in it. */
export function ConfirmDialog(props: {
  readonly opened?: boolean
  readonly title: string
  readonly size?: string
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
  return (
    <Dialog opened={props.opened ?? true} onClose={props.onClose} title={props.title} size={props.size ?? 'md'}>
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
    </Dialog>
  )
}
