import { Alert, Button, Group, Kbd, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { offenseText } from '../../components/offense-texts.ts'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Value } from '../../components/value.tsx'
import type { AcceptedBatch } from '../../entities/movement-forms/use-batch.ts'
import { partsOf, type Request } from '../../entities/requests/parts.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { currentLanguage } from '../../language/language.ts'

const pollMilliseconds = 1_500

/** What was sent: the number of its request, the documents that are missing, and what became of it. Then the next movement of the intake. */
export function Sent(props: {
  readonly accepted: AcceptedBatch
  readonly names: ReadonlyMap<string, string>
  readonly onNext: () => void
  readonly onNextIntake: () => void
}) {
  const { t } = useTranslation(['intake', 'hr'])
  const { accepted, names, onNext, onNextIntake } = props
  const requestId = accepted['request-id']
  const missing = accepted['missing-documents'] ?? []
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const request = useQuery({
    ...operationQuery('readAnyRequest', { path: [requestId] }),
    refetchInterval: ({ state }) => (state.data?.result.status === 'processing' ? pollMilliseconds : false),
  })
  return (
    <Stack gap="md">
      <Alert color="green" variant="default" role="status" title={t('hr:sent')}>
        <Text size="sm">
          {t('intake:request')}{' '}
          <TextLink to="/requests/$requestId" params={{ requestId }} translate="no">
            {requestId}
          </TextLink>
        </Text>
        {missing.length > 0 && (
          <>
            <Text size="sm" fw={600} mt="xs">
              {t('hr:missing')}
            </Text>
            <List size="sm">
              {missing.map(({ index, message, enforcement, 'tax-id': taxId, 'product-name': product }) => (
                <List.Item key={`${index} ${product} ${message}`}>
                  <Value>
                    {taxId === undefined ? '' : `${names.get(taxId) ?? formatCpf(taxId)}: `}
                    {message} ({product})
                  </Value>{' '}
                  · {t(`hr:enforcement.${enforcement}`)}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Alert>
      <Group>
        <Button
          ref={button}
          onClick={onNext}
          aria-keyshortcuts="Alt+N"
          rightSection={
            <Kbd translate="no" aria-hidden>
              Alt N
            </Kbd>
          }
        >
          {t('intake:next')}
        </Button>
        <Button
          variant="default"
          onClick={onNextIntake}
          aria-keyshortcuts="Alt+Shift+N"
          rightSection={
            <Kbd translate="no" aria-hidden>
              Alt Shift N
            </Kbd>
          }
        >
          {t('intake:nextIntake')}
        </Button>
      </Group>
      <QueryView query={request}>{({ result }) => <Parts request={result} names={names} />}</QueryView>
    </Stack>
  )
}

function Parts({ request, names }: { readonly request: Request; readonly names: ReadonlyMap<string, string> }) {
  const { t } = useTranslation(['hr', 'request'])
  return (
    <div>
      <Text size="sm" role="status">
        {request.status === 'processing' ? t('request:isProcessing') : t(`request:ended.${request.status}`)}
      </Text>
      <List listStyleType="none" spacing="xs" withPadding={false} mt="xs">
        {partsOf(request).map((part) => {
          const label = `${names.get(part.taxId) ?? formatCpf(part.taxId)} · ${part.product}`
          const id = part['enrollment-id']
          return (
            <List.Item key={part.id}>
              <Group gap="xs">
                {id === null ? (
                  <Value>{label}</Value>
                ) : (
                  <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: id }} translate="no">
                    {label}
                  </TextLink>
                )}
                {part['enrollment-status'] !== null && <StatusBadge status={part['enrollment-status']} />}
              </Group>
              {part.offenses !== undefined && (
                <Text size="sm">
                  <Value>
                    {part.offenses.map((one) => offenseText(one, request['request-type'], currentLanguage())).join(' ')}
                  </Value>
                </Text>
              )}
            </List.Item>
          )
        })}
      </List>
    </div>
  )
}
