import { Center, Loader, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ErrorComponentProps, useSearch } from '@tanstack/react-router'
import { ApiError } from '@vigencia/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../session/session.ts'
import { ErrorMessage } from './error-message.tsx'
import { TextLink } from './link.tsx'
import { SectionTitle } from './section-title.tsx'

export function Loading() {
  const { t } = useTranslation('states')
  return (
    <Center p="xl" role="status">
      <Loader size="sm" aria-hidden />
      <span className="visually-hidden">{t('loading')}</span>
    </Center>
  )
}

/** A text in the place of content. */
export function Message({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Center p="xl">
      <Stack gap="xs" align="center" ta="center">
        <SectionTitle mb={0}>{title}</SectionTitle>
        <Text size="sm">{children}</Text>
      </Stack>
    </Center>
  )
}

/** A list without items. @param children what to do about it, instead of words about the filters. */
export function Empty({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation('states')
  const isFiltered = useSearch({ strict: false, select: (search) => Object.keys(search).length > 0 })
  return <Message title={t('emptyTitle')}>{children ?? t(isFiltered ? 'empty' : 'emptyAll')}</Message>
}

export function NotFound() {
  const { t } = useTranslation('states')
  return (
    <Message title={t('notFoundTitle')}>
      {t('notFound')}{' '}
      <TextLink to="/" size="md">
        {t('backToStart')}
      </TextLink>
    </Message>
  )
}

export function Forbidden() {
  const { t } = useTranslation(['states', 'terms'])
  const session = useSession()
  const role = session === null ? '' : t(`terms:role.${session.role}`)
  return <Message title={t('states:forbiddenTitle')}>{t('states:forbidden', { role })}</Message>
}

/** Whether the address has something else in the place of an id. */
function isNoId({ code, details }: ApiError): boolean {
  return code === 'invalid-parameter' && details.some(({ field }) => field.endsWith('-id'))
}

/** An error in the place of the content: not found and no permission have their own words. */
export function ErrorState({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  if (error instanceof ApiError && (error.status === 404 || isNoId(error))) return <NotFound />
  if (error instanceof ApiError && error.status === 403) return <Forbidden />
  return <ErrorMessage error={error} {...(onRetry === undefined ? {} : { onRetry })} />
}

/** In the place of a page that could not be rendered or loaded. */
export function PageError({ error }: ErrorComponentProps) {
  return (
    <ErrorState
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => void reloadWhenReachable()}
    />
  )
}

/** Loads the document again, unless the browser could only show its own error in the place of the console. */
async function reloadWhenReachable(): Promise<void> {
  try {
    const { ok } = await fetch(location.pathname, { cache: 'no-store' })
    if (ok) location.reload()
  } catch {
    // The error that is shown is still true.
  }
}

/** The content of a query, or its state. */
export function QueryView<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error !== null && <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    )
  }
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
}
