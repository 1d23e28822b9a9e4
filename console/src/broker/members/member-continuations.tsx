import { Group, List, Text } from '@mantine/core'
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
import { DialogButton } from '../../components/dialog.tsx'

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
  const own = member.benefits.filter(({ type, status }) => type === 'primary' && status === 'active')
  const canCreate = mayCreate && own.length > 0
  if (continuations.length === 0 && !canCreate) return null
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <SectionTitle mb={0}>{t('title')}</SectionTitle>
        {canCreate && (
          <DialogButton
            variant="default"
            size="xs"
            dialog={(close) => <NewContinuation benefits={own} onClose={close} />}
          >
            {t('create')}
          </DialogButton>
        )}
      </Group>
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
