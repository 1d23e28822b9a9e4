import { Alert, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CLOSING_ITEMS } from '../../../../src/kernel/broker-enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ContextLine } from '../../components/context-line.tsx'
import { KeyNumbers, keyNumber } from '../../components/key-numbers.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { formatMonth } from '../../format/month.ts'
import { type Closing, type Month, sumOf } from './closing.ts'
import { ContractTable } from './contract-table.tsx'
import { MonthActions } from './month-actions.tsx'
import { PayrollExports } from '../payroll/payroll-exports.tsx'
import { ClosingStatusBadge, ItemStateBadge } from './status-badges.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/closings/$taxId/$month')

/** The month of a company: what is to be done, and what was closed. */
export function MonthPage() {
  const { t } = useTranslation('closings')
  const { taxId, month } = route.useParams()
  const query = useOperation('readClosingChecklist', { query: { 'company-tax-id': taxId, 'reference-month': month } })
  const closingId = query.data?.result['closing-id'] ?? null
  const closing = useOperation('readClosing', { path: [closingId ?? ''] }, { enabled: closingId !== null })
  const company = useOperation('readAnyCompany', { path: [taxId] })
  const name = company.data?.result.name ?? taxId
  if (query.data === undefined) {
    return (
      <>
        <PageHeader title={t('closing')} />
        <QueryView query={query}>{() => null}</QueryView>
      </>
    )
  }
  return <MonthView month={query.data.result} company={name} closing={closing.data?.result ?? null} />
}

interface Props {
  readonly month: Month
  readonly company: string
  /** null: the month was never closed, or its closing is not loaded. */
  readonly closing: Closing | null
}

function MonthView({ month, company, closing }: Props) {
  const { t } = useTranslation(['closings', 'terms'])
  const isClosed = month.status !== 'open'
  const sum = sumOf(month.contracts)
  const claimed = month.contracts.reduce((total, one) => total + one['claimed-total'], 0)
  return (
    <>
      <PageHeader
        title={<Value>{t('closings:titleOne', { month: formatMonth(month['reference-month']), company })}</Value>}
      >
        <MonthActions month={month} />
      </PageHeader>
      <ContextLine
        items={[
          <ClosingStatusBadge key="status" status={month.status} />,
          <TextLink key="company" to="/companies/$taxId" params={{ taxId: month['company-tax-id'] }}>
            <Value>{company}</Value>
          </TextLink>,
        ]}
      />
      {isClosed && (
        <Alert variant="outline" color="green" mb="md" title={t('closings:closed')}>
          {t('closings:closedText')}
        </Alert>
      )}
      <KeyNumbers
        numbers={[
          sum['carrier-total'] !== null &&
            keyNumber(t('closings:charged'), <MoneyValue value={sum['carrier-total']} />),
          sum['expected-total'] !== null &&
            keyNumber(t('closings:expected'), <MoneyValue value={sum['expected-total']} />),
          sum.discrepancy !== null && keyNumber(t('closings:difference'), <MoneyValue value={sum.discrepancy} />),
          claimed > 0 && keyNumber(t('closings:claimed'), <MoneyValue value={claimed} />),
        ]}
      />
      <SectionTitle mt="lg">{t('closings:checklist')}</SectionTitle>
      <Group component="ul" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        {CLOSING_ITEMS.map((item) => (
          <Group component="li" key={item} gap={6}>
            {t(`terms:closingItem.${item}`)} <ItemStateBadge state={month.checklist[item]} />
          </Group>
        ))}
      </Group>
      <SectionTitle mt="lg">{t('closings:contracts')}</SectionTitle>
      {month.contracts.length === 0 ? (
        <Text size="sm">{t('closings:noContract')}</Text>
      ) : (
        <ContractTable month={month} />
      )}
      <PayrollExports taxId={month['company-tax-id']} month={month['reference-month']} isOpen={!isClosed} />
      {closing !== null && <History closing={closing} />}
    </>
  )
}

/** Who closed the month and opened it again, and why. */
function History({ closing }: { readonly closing: Closing }) {
  const { t } = useTranslation(['closings', 'terms'])
  const nameOf = useOperatorNames()
  return (
    <>
      <SectionTitle mt="lg" mb="sm">
        {t('closings:history')}
      </SectionTitle>
      <Timeline
        entries={closing.acts.map(({ act, at, by, reason, 'open-items': openItems = [] }) => ({
          key: at,
          title: t(`terms:closingAct.${act}`),
          at,
          details: (
            <>
              <Text size="sm">
                <Value>{nameOf(by)}</Value>
              </Text>
              {reason != null && (
                <Text size="sm">
                  <Value>{reason}</Value>
                </Text>
              )}
              {openItems.length > 0 && (
                <Text size="sm">
                  {t('closings:openItems', {
                    items: openItems.map((item) => t(`terms:closingItem.${item}`)).join(', '),
                  })}
                </Text>
              )}
            </>
          ),
        }))}
      />
    </>
  )
}
