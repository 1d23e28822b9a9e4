import { Alert, Button, Group, Stack } from '@mantine/core'
import { ApiError } from '@vigencia/client'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../components/error-message.tsx'
import { pathOf } from './field-errors.ts'

/**
 * The frame of a form: its fields, the error of the service, and the buttons. The form's rules judge, all at once and in the language of the
 * console; the bubbles of the browser are off. The first wrong field gets the focus.
 */
export function FormFrame(props: {
  /** The handler of `useForm`, or one that judges by itself. */
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Marks what is wrong, where a field has a text that it cannot read, such as no date, so that nothing is sent. */
  readonly judge?: () => unknown
  /** The error of the service. */
  readonly error: Error | null
  /** The errors that stand at fields, by path. */
  readonly errors: Readonly<Record<string, ReactNode>>
  readonly action: string
  readonly isPending: boolean
  /** Whether there is something to send. */
  readonly isDisabled?: boolean
  /** In place of the general error. */
  readonly notice?: ReactNode
  readonly onCancel?: (() => void) | undefined
  /** In place of the button that cancels. */
  readonly cancel?: ReactNode
  /** The width of a form that is a page. */
  readonly maw?: string
  readonly children: ReactNode
}) {
  const { t } = useTranslation('states')
  const { error, errors, onCancel } = props
  const root = useRef<HTMLFormElement>(null)
  const isSubmitted = useRef(false)
  useEffect(() => {
    const wrong = root.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null
    if (!isSubmitted.current || wrong === null) return
    isSubmitted.current = false
    wrong.focus()
  })
  return (
    <form
      ref={root}
      noValidate
      onSubmit={(event) => {
        isSubmitted.current = true
        const unread = [...event.currentTarget.elements].filter(isUnread)
        if (unread.length === 0) return props.onSubmit(event)
        event.preventDefault()
        for (const field of unread) field.checkValidity()
        props.judge?.()
      }}
    >
      <Stack maw={props.maw}>
        {props.children}
        {error !== null && (props.notice ?? <FormError error={error} errors={errors} />)}
        <Group justify={onCancel === undefined ? 'flex-start' : 'flex-end'}>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" loading={props.isPending} disabled={props.isDisabled ?? false}>
            {props.action}
          </Button>
          {props.cancel}
        </Group>
      </Stack>
    </form>
  )
}

/** A field with a text that it cannot read says so by `setCustomValidity`, and shows why at the event `invalid`. */
const isUnread = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.validity.customError

/** What the service said. Sentences that stand at their fields are not repeated. */
function FormError(props: { readonly error: Error; readonly errors: Readonly<Record<string, ReactNode>> }) {
  const { t } = useTranslation('states')
  const { error, errors } = props
  const details = error instanceof ApiError ? error.details : []
  const arePlaced = details.length > 0 && details.every(({ field }) => Boolean(errors[pathOf(field)]))
  if (!arePlaced) return <ErrorMessage error={error} />
  return (
    <Alert color="red" role="alert">
      {t('correctFields')}
    </Alert>
  )
}
