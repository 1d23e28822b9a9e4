import { Alert, Group, List, Text } from '@mantine/core'
import type { Company, Enrollment } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { isTerminal } from '../../../../src/coverage/rules/enrollment-status.ts'
import { TextLink } from '../../components/link.tsx'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { useMovementWords } from '../../entities/company-hr/movement-words.ts'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { typeTerm } from '../../format/movement-type.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The movements of a person in the company: what is open, what is asked for, and what was. */
export function PersonMovements({ taxId, company }: { readonly taxId: string; readonly company: Company }) {
  const { t } = useTranslation(['hr', 'members'])
  const query = useCompanyOperation('listEnrollmentHistory', {
    query: { 'member-tax-id': taxId, 'company-tax-id': company['tax-id'], 'items-per-page': 100 },
  })
  return (
    <section>
      <SectionTitle>{t('hr:movements')}</SectionTitle>
      <QueryView query={query}>
        {({ result }) => {
          const open = result.filter(({ status }) => !isTerminal(status))
          const past = result.filter(({ status }) => isTerminal(status))
          return (
            <>
              {open.length === 0 && <Text size="sm">{t('hr:nothingOpen')}</Text>}
              <Movements movements={open} />
              {past.length > 0 && (
                <details className="disclosure">
                  <summary>{t('members:past')}</summary>
                  <Movements movements={past} />
                </details>
              )}
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

function Movements({ movements }: { readonly movements: readonly Enrollment[] }) {
  const { t } = useTranslation(['hr', 'terms'])
  const wordsOf = useMovementWords()
  return (
    <List listStyleType="none" withPadding={false} spacing="sm" my="xs">
      {movements.map((movement) => (
        <List.Item key={movement.id}>
          <Group gap="xs">
            <TextLink to="/hr/pending/$enrollmentId" params={{ enrollmentId: movement.id }}>
              {t(typeTerm(movement['enrollment-type'], movement['alteration-kind']))} ·{' '}
              <TextValue value={movement['product-name']} />
            </TextLink>
            <StatusBadge status={movement.status} />
            <Text size="sm" c="dimmed">
              <TimestampValue value={movement['last-updated-at']} />
            </Text>
          </Group>
          <Text size="sm">{wordsOf(movement)}</Text>
          {movement['pending-items'].length > 0 && (
            <Alert color="orange" variant="default" p="xs" mt={4} title={t('hr:waitsFor')}>
              <List size="sm">
                {movement['pending-items'].map((item, index) => (
                  // Items have no id and do not change while they are shown.
                  // oxlint-disable-next-line react/no-array-index-key
                  <List.Item key={index}>
                    <Value>{item.message}</Value>
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
        </List.Item>
      ))}
    </List>
  )
}
