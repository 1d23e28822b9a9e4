import { Alert, Button, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from './field-errors.ts'
import { FormFrame } from './form-frame.tsx'
import { LeaveQuestion } from './leave-question.tsx'

/** How what is written in a page is saved. */
export interface Saving<Values> {
  /** Rejects with the error to show; leaves the page when it is done. */
  readonly save: (values: Values) => Promise<unknown>
  readonly isSaving: boolean
  readonly error: Error | null
  /** What else to say about the error, instead of the general message. */
  readonly notice?: ReactNode
}

/**
 * A form that is a page. What was written stays until it is saved: an error leaves it as it is, and leaving the page asks.
 * @param props.fields the last parts of the paths of its inputs.
 */
export function PageForm<Values>(props: {
  readonly form: UseFormReturnType<Values>
  readonly saving: Saving<Values>
  readonly fields: readonly string[]
  readonly cancel?: ReactNode
  readonly children: ReactNode
}) {
  const { form, saving, fields, cancel, children } = props
  const { t } = useTranslation('states')
  const submit = form.onSubmit(async (values) => {
    try {
      await saving.save(values)
    } catch (error) {
      form.setErrors(error instanceof Error ? fieldErrorsOf(error, fields) : {})
    }
  })
  return (
    <>
      <FormFrame
        maw="60rem"
        onSubmit={submit}
        judge={() => form.validate()}
        error={saving.error}
        errors={form.errors}
        notice={saving.notice}
        action={t('save')}
        isPending={saving.isSaving}
        cancel={cancel}
      >
        {children}
      </FormFrame>
      <LeaveQuestion isDirty={() => form.isDirty()} />
    </>
  )
}

/** Saves what is new. */
export function useSaving<Values, Saved>(
  send: (values: Values) => Promise<Saved>,
  onSaved: (saved: Saved) => Promise<void>,
): Saving<Values> {
  const { mutateAsync, isPending, error } = useMutation({ mutationFn: send, onSuccess: onSaved })
  return { save: mutateAsync, isSaving: isPending, error }
}

/** The object is another than the one that was edited. */
class ChangedError<T> extends Error {
  readonly current: T

  constructor(current: T, message: string) {
    super(message)
    this.current = current
  }
}

/** Replaces an object that is still as it was read; else it says so, and what is there now can be loaded, or replaced all the same. */
export function useReplacing<T, Values, Saved>(
  object: T,
  options: {
    readonly valuesOf: (base: T) => Values
    readonly read: () => Promise<T>
    /** What shows that somebody changed it; without it all of it. */
    readonly stateOf?: (object: T) => unknown
    readonly put: (values: Values, base: T) => Promise<Saved>
    readonly onSaved: (saved: Saved) => Promise<void>
    /** The sentence when it was changed. */
    readonly changed: string | (() => Promise<string>)
    /** The labels of the buttons. */
    readonly load: string
    readonly overwrite?: string
    /** What is sent or received is not to stay in memory. */
    readonly isSecret?: boolean
  },
) {
  const { t } = useTranslation('states')
  const { changed, stateOf = (one) => one, overwrite } = options
  const beginWith = (base: T) => ({ base, initialValues: options.valuesOf(base) })
  // What the form began with: the query is read again while a person writes.
  const [begin, setBegin] = useState(() => beginWith(object))
  const { base } = begin
  const replace = useMutation({
    mutationFn: async ({ values, isForced }: { readonly values: Values; readonly isForced: boolean }) => {
      const current = isForced ? base : await options.read()
      if (JSON.stringify(stateOf(current)) !== JSON.stringify(stateOf(base))) {
        throw new ChangedError(current, typeof changed === 'string' ? changed : await changed())
      }
      return options.put(values, base)
    },
    ...(options.isSecret ? { gcTime: 0 } : {}),
    onSuccess: options.onSaved,
  })
  const { error, variables } = replace
  const load = (current: T) => {
    setBegin(beginWith(current))
    replace.reset()
  }
  const notice = error instanceof ChangedError && (
    <Alert color="orange" role="alert" title={t('conflictTitle')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error.message}</Text>
        <Button size="xs" variant="default" onClick={() => load(error.current as T)}>
          {options.load}
        </Button>
        {overwrite !== undefined && variables !== undefined && (
          <Button size="xs" variant="default" onClick={() => replace.mutate({ ...variables, isForced: true })}>
            {overwrite}
          </Button>
        )}
      </Stack>
    </Alert>
  )
  const saving: Saving<Values> = {
    save: (values) => replace.mutateAsync({ values, isForced: false }),
    isSaving: replace.isPending,
    error,
    ...(notice === false ? {} : { notice }),
  }
  return { ...begin, saving, reset: replace.reset, load }
}
