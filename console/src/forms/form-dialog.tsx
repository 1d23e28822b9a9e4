import { useForm, type UseFormInput, type UseFormReturnType } from '@mantine/form'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { fieldErrorsOf } from './field-errors.ts'
import { FormFrame } from './form-frame.tsx'
import { Dialog } from '../components/dialog.tsx'

interface DialogState<Values, Result> {
  readonly form: UseFormReturnType<Values>
  readonly sending: UseMutationResult<Result, Error, Values>
  /** Closes the dialog and forgets what was written and sent. */
  readonly close: () => void
}

/** The form of a dialog and what sends it. The errors of the service stand at the fields that they name. */
export function useFormDialog<Values extends object, Result>(options: {
  readonly initialValues: Values
  readonly validate?: NonNullable<UseFormInput<Values>['validate']>
  readonly send: (values: Values) => Promise<Result>
  readonly onSent: (result: Result, close: () => void) => unknown
  readonly onClose: () => void
  /** What is sent or received is not to stay in memory. */
  readonly isSecret?: boolean
}): DialogState<Values, Result> {
  const { initialValues, validate } = options
  const form = useForm<Values>({ initialValues, ...(validate === undefined ? {} : { validate }) })
  const sending = useMutation({
    mutationFn: options.send,
    ...(options.isSecret ? { gcTime: 0 } : {}),
    onError: (error) => form.setErrors(fieldErrorsOf(error, Object.keys(initialValues))),
    onSuccess: (result) => options.onSent(result, close),
  })
  const close = () => {
    sending.reset()
    form.reset()
    options.onClose()
  }
  return { form, sending, close }
}

type Frame = Pick<ComponentProps<typeof FormFrame>, 'action' | 'children' | 'notice' | 'isDisabled'>

/** A dialog with a form; a click beside it does not close what somebody wrote. */
export function FormDialog<Values extends object, Result>(
  props: Frame & {
    readonly dialog: DialogState<Values, Result>
    readonly opened?: boolean
    readonly title: string
    readonly size?: string
  },
) {
  const { dialog, opened = true, title, size = 'md', ...frame } = props
  const { form, sending, close } = dialog
  return (
    <Dialog opened={opened} onClose={close} title={title} size={size} closeOnClickOutside={!form.isDirty()}>
      <FormFrame
        onSubmit={form.onSubmit((values) => sending.mutate(values))}
        judge={() => form.validate()}
        error={sending.error}
        errors={form.errors}
        isPending={sending.isPending}
        onCancel={close}
        {...frame}
      />
    </Dialog>
  )
}
