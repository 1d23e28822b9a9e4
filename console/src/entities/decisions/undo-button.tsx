import { Button, type ButtonProps } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { undoDecisions } from './undo.ts'

/** Undoes the decisions of these jobs. */
export function UndoButton(props: ButtonProps & { readonly jobIds: readonly string[]; readonly children: ReactNode }) {
  const { jobIds, children, ...look } = props
  const queryClient = useQueryClient()
  const undo = useMutation({ mutationFn: () => undoDecisions(queryClient, jobIds) })
  return (
    <Button size="xs" variant="default" {...look} loading={undo.isPending} onClick={() => undo.mutate()}>
      {children}
    </Button>
  )
}
