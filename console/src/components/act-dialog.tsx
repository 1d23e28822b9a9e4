import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { notifyDone } from './notify.ts'

/** A question before an act: does it, tells that it is done, closes, and reads again what is shown. */
export function ActDialog<Result>(props: {
  /** Without it: the label of the button. */
  readonly title?: string
  readonly size?: string
  /** The label of the button that does it. */
  readonly action: string
  /** Whether it deletes, revokes or ends something. */
  readonly isDestructive?: boolean
  /** What happens, in a sentence, and the fields that the act needs. */
  readonly children: ReactNode
  /** Until what the act needs is there. */
  readonly isDisabled?: boolean
  /** Marks what is missing, and tells whether all is there. */
  readonly check?: () => boolean
  readonly act: () => Promise<Result>
  /** The message when it is done. */
  readonly done: string | ((result: Result) => string)
  /** Comes before all is read again: leaves a page whose object is gone. */
  readonly onDone?: (result: Result) => Promise<void> | void
  readonly onClose: () => void
}) {
  const { action, done, onClose } = props
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: props.act,
    onSuccess: async (result) => {
      notifyDone(typeof done === 'string' ? done : done(result))
      onClose()
      await props.onDone?.(result)
      // An act changes more than its own object: lists, counts, other areas.
      void queryClient.invalidateQueries()
    },
  })
  return (
    <ConfirmDialog
      title={props.title ?? action}
      size={props.size ?? 'md'}
      action={action}
      isDestructive={props.isDestructive ?? false}
      isPending={act.isPending}
      isDisabled={props.isDisabled ?? false}
      error={act.error}
      onConfirm={() => {
        if (props.check?.() ?? true) act.mutate()
      }}
      onClose={onClose}
    >
      {props.children}
    </ConfirmDialog>
  )
}
