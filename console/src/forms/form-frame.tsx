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
  /** Of `useForm`, or one that judges by itself. */
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Of the service. */
  readonly error: Error | null
  /** The errors that stand at fields, by path. */
  readonly errors: Readonly<Record<string, ReactNode>>
  readonly action: string
  readonly isPending: boolean
  /** In place of the general error. */
  readonly notice?: ReactNode
  readonly onCancel?: (() => void) | undefined
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
        props.onSubmit(event)
      }}
    >
      <Stack>
        {props.children}
        {error !== null && (props.notice ?? <FormError error={error} errors={errors} />)}
        <Group justify={onCancel === undefined ? 'flex-start' : 'flex-end'}>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" loading={props.isPending}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What the service said. Sentences that stand at their fields are not repeated. */
export function FormError(props: { readonly error: Error; readonly errors: Readonly<Record<string, ReactNode>> }) {
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
