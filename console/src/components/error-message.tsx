import { Alert, Button, Stack, Text } from '@mantine/core'
import { ApiError, ConnectionError, TimeoutError } from '@vigencia/client'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from './error-words.ts'
import { Value } from './value.tsx'

// The terms of all fields, for which no page waits before the sign-in.
const ErrorDetails = lazy(() => import('./error-details.tsx'))

/**
 * An error of a call: what was wrong, where and how to mend it, as the service says it in the language of the console.
 * @param props.onRetry reads again: also by itself, when the network is back.
 */
export function ErrorMessage({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const { t } = useTranslation('states')
  const retry = useEffectEvent(() => onRetry?.())
  const isUnreachable = error instanceof ConnectionError
  useEffect(() => {
    if (!isUnreachable) return undefined
    const again = () => retry()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [isUnreachable])
  return (
    <Alert color="red" role="alert" title={t('errorTitle')}>
      <Stack gap="xs" align="flex-start">
        <ErrorText error={error} />
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function ErrorText({ error }: { readonly error: Error }) {
  const { t } = useTranslation('states')
  if (error instanceof ConnectionError) return <Text size="sm">{t('connection')}</Text>
  if (error instanceof TimeoutError) return <Text size="sm">{t('timeout')}</Text>
  if (!(error instanceof ApiError)) return <Text size="sm">{t('unexpected')}</Text>
  const details = error.details.filter(({ message }) => message !== undefined)
  return (
    <>
      {details.length === 0 && (
        <Text size="sm">
          <Value>{sentenceOf(error.body) || error.status}</Value>
        </Text>
      )}
      {details.length > 0 && (
        <Suspense>
          <ErrorDetails details={details} />
        </Suspense>
      )}
      {error.requestTraceId !== null && (
        <Text size="xs">
          {t('requestTraceId')}: <Value>{error.requestTraceId}</Value>
        </Text>
      )}
    </>
  )
}
