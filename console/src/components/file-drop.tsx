import '@mantine/dropzone/styles.css'
import { Text } from '@mantine/core'
import { Dropzone, type DropzoneProps } from '@mantine/dropzone'
import { type ReactNode, useState } from 'react'

/** A file to drop or choose, or several. It says when one is refused, such as one that is too large. */
export function FileDrop(
  props: Omit<DropzoneProps, 'onDrop'> & {
    /** What assistive technology calls it. */
    readonly label: string
    readonly children: ReactNode
    /** What files it takes; with it the place is a large one. */
    readonly limit?: string
    readonly refused?: string
  } & (
      | { readonly onFile: (file: File) => void; readonly onFiles?: never }
      | { readonly onFiles: (files: readonly File[]) => void; readonly onFile?: never }
    ),
) {
  const { label, children, limit, refused, onFile, onFiles, ...dropzone } = props
  const [isRefused, setRefused] = useState(false)
  return (
    <>
      <Dropzone
        multiple={onFiles !== undefined}
        onDrop={(files) => {
          const [file] = files
          setRefused(false)
          onFiles?.(files)
          if (file !== undefined) onFile?.(file)
        }}
        onReject={() => setRefused(true)}
        inputProps={{ 'aria-label': label }}
        p={limit === undefined ? 'sm' : 'lg'}
        {...dropzone}
      >
        <Text ta="center" {...(limit === undefined ? { size: 'sm' } : {})}>
          {children}
        </Text>
        {limit !== undefined && (
          <Text ta="center" size="sm" c="dimmed">
            {limit}
          </Text>
        )}
      </Dropzone>
      {isRefused && refused !== undefined && (
        <Text role="alert" size="sm" c="red">
          {refused}
        </Text>
      )}
    </>
  )
}
