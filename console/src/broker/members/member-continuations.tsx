import { Button, Group, List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { NewContinuation } from '../../entities/continuations/new-continuation.tsx'
import { ContinuationStatusBadge } from '../../entities/continuations/status-badge.tsx'
import { Term } from '../../entities/continuations/term.tsx'
import type { Member } from '../../entities/benefits/benefits.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The plans that the person keeps after a dismissal or a retirement; nothing where there is none. */
export function MemberContinuations({ member }: { readonly member: Member }) {
  const { t } = useTranslation('continuations')
  const mayRead = usePermission('listAllContinuations')
  const found = useOperation(
    'listAllContinuations',
    { query: { 'member-id': member.id, 'items-per-page': 100 } },
    { enabled: mayRead },
  )
  const continuations = found.data?.result ?? []
  const mayCreate = usePermission('createContinuation')
  const [isCreating, setCreating] = useState(false)
  const own = member.benefits.filter(({ type, status }) => type === 'primary' && status === 'active')
  const canCreate = mayCreate && own.length > 0
  if (continuations.length === 0 && !canCreate) return null
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <SectionTitle mb={0}>{t('title')}</SectionTitle>
        {canCreate && (
          <Button variant="default" size="xs" onClick={() => setCreating(true)}>
            {t('create')}
          </Button>
        )}
      </Group>
      {isCreating && <NewContinuation benefits={own} onClose={() => setCreating(false)} />}
      {continuations.length === 0 && <Text size="sm">{t('none')}</Text>}
      <List size="sm" listStyleType="none">
        {continuations.map((one) => (
          <List.Item key={one['continuation-id']}>
            <TextLink to="/continuations/$continuationId" params={{ continuationId: one['continuation-id'] }}>
              <Value>{one['product-name']}</Value>
            </TextLink>{' '}
            <ContinuationStatusBadge status={one.status} /> <Term months={one.months} withoutEnd={one['without-end']} />
            {one['term-end'] !== null && (
              <>
                {' · '}
                {t('termEnd')} <DateValue value={one['term-end']} />
              </>
            )}
          </List.Item>
        ))}
      </List>
    </section>
  )
}
