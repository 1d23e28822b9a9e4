import { ActionIcon, CopyButton, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A value with a button that copies it, as it is typed into a carrier's portal. */
export function Copied(props: {
  readonly children: ReactNode
  /** null: nothing to copy. */
  readonly text: string | null
  /** What is copied, for assistive technology. */
  readonly name: string
}) {
  const { children, text, name } = props
  const { t } = useTranslation('review')
  if (text === null || text === '') return children
  return (
    <Group gap={2} wrap="nowrap" component="span" align="center">
      <span>{children}</span>
      <CopyButton value={text} timeout={1_500}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color={copied ? 'green' : 'gray'}
            size="xs"
            className="no-print"
            onClick={copy}
            aria-label={copied ? t('copied', { name }) : t('copy', { name })}
          >
            <svg
              viewBox="0 0 16 16"
              width="12"
              height="12"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              aria-hidden
            >
              {copied ? <path d="M3 8l3.5 3.5L13 5" /> : <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />}
            </svg>
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
