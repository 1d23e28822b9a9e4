import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { type Reconciliation } from '../../entities/reconciliations/reconciliation.ts'
import type { ContractOfMonth, Month } from './closing.ts'
import { ItemStateBadge } from './status-badges.tsx'

/** The contracts of a month, of a closed one as they were: what is done, what is not with the way to it, and the amounts. */
export function ContractTable({ month }: { readonly month: Month }) {
  const { t } = useTranslation(['closings', 'terms'])
  const ofMonth = { 'company-tax-id': month['company-tax-id'], 'reference-month': month['reference-month'] }
  const compared = useOperation('listReconciliations', { query: { ...ofMonth, 'items-per-page': 500 } }).data?.result
  return (
    <div className="plain-table" role="region" aria-label={t('closings:contracts')} tabIndex={0}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('closings:contract')}</Table.Th>
            <Table.Th>{t('terms:closingItem.roster')}</Table.Th>
            <Table.Th>{t('terms:closingItem.invoice')}</Table.Th>
            <Table.Th>{t('terms:closingItem.claims')}</Table.Th>
            <Table.Th ta="end">{t('closings:charged')}</Table.Th>
            <Table.Th ta="end">{t('closings:expected')}</Table.Th>
            <Table.Th ta="end">{t('closings:difference')}</Table.Th>
            <Table.Th ta="end">{t('closings:claimed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {month.contracts.map((contract) => (
            <Table.Tr key={contract['contract-id']}>
              <Table.Td className="nowrap">
                <TextLink to="/carriers/contracts/$contractId" params={{ contractId: contract['contract-id'] }}>
                  <Value>{`${contract['carrier-name']} · ${contractNumber(contract)}`}</Value>
                </TextLink>
              </Table.Td>
              {(['roster', 'invoice'] as const).map((kind) => (
                <Table.Td key={kind} className="nowrap">
                  <FileState month={month} contract={contract} kind={kind} compared={compared} />
                </Table.Td>
              ))}
              <Table.Td className="nowrap">
                <ClaimState month={month} contract={contract} />
              </Table.Td>
              {(['carrier-total', 'expected-total', 'discrepancy', 'claimed-total'] as const).map((name) => (
                <Table.Td key={name} ta="end" className="nowrap">
                  <MoneyValue value={contract[name]} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** The state of the roster or the invoice of a contract, and where what is open is done. */
function FileState(props: {
  readonly month: Month
  readonly contract: ContractOfMonth
  readonly kind: 'roster' | 'invoice'
  readonly compared: readonly Reconciliation[] | undefined
}) {
  const { month, contract, kind } = props
  const { t } = useTranslation('closings')
  const mayUpload = usePermission('uploadCarrierFile')
  const contractId = contract['contract-id']
  // The latest first, which counts.
  const reconciliation = props.compared?.find((one) => one['contract-id'] === contractId && one.kind === kind)
  const state = contract[kind]
  const open = contract[`open-${kind}-discrepancies`]
  if (reconciliation === undefined) {
    return (
      <>
        <ItemStateBadge state={state} />{' '}
        {state === 'missing' && month.status === 'open' && mayUpload && (
          <TextLink
            to="/reconciliations"
            search={{
              'company-tax-id': month['company-tax-id'],
              'contract-id': contractId,
              'reference-month': month['reference-month'],
              kind,
            }}
          >
            {t('sendFile')}
          </TextLink>
        )}
      </>
    )
  }
  return (
    <>
      <ItemStateBadge state={state} />{' '}
      <TextLink
        to="/reconciliations/$fileId"
        params={{ fileId: reconciliation['carrier-file-id'] }}
        search={open > 0 ? { status: 'open' as const } : {}}
      >
        {reconciliation.status === 'computing'
          ? t('computing')
          : t('openOnes', { count: open, formatted: formatNumber(open) })}
      </TextLink>
    </>
  )
}

function ClaimState({ month, contract }: { readonly month: Month; readonly contract: ContractOfMonth }) {
  const { t } = useTranslation('closings')
  const drafts = contract['draft-claims']
  if (drafts === 0) return <ItemStateBadge state="done" />
  return (
    <>
      <ItemStateBadge state="open" />{' '}
      <TextLink
        to="/claims"
        search={{
          'company-tax-id': month['company-tax-id'],
          'contract-id': contract['contract-id'],
          'reference-month': month['reference-month'],
          status: 'draft' as const,
        }}
      >
        {t('drafts', { count: drafts, formatted: formatNumber(drafts) })}
      </TextLink>
    </>
  )
}
