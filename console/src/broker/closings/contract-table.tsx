import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { type Reconciliation } from '../../entities/reconciliations/reconciliation.ts'
import type { ContractOfMonth, Month } from './closing.ts'
import { ItemStateBadge } from './status-badges.tsx'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { money } from '../../lists/columns.tsx'

/** The contracts of a month, of a closed one as they were: what is done, what is not with the way to it, and the amounts. */
export function ContractTable({ month }: { readonly month: Month }) {
  const { t } = useTranslation(['closings', 'terms'])
  const ofMonth = { 'company-tax-id': month['company-tax-id'], 'reference-month': month['reference-month'] }
  const compared = useOperation('listReconciliations', { query: { ...ofMonth, 'items-per-page': 500 } }).data?.result
  return (
    <PlainTable<ContractOfMonth>
      label={t('closings:contracts')}
      items={month.contracts}
      idOf={(contract) => contract['contract-id']}
      rowOf={() => ({ className: 'nowrap' })}
      columns={[
        plain(t('closings:contract'), (contract) => (
          <TextLink to="/carriers/contracts/$contractId" params={{ contractId: contract['contract-id'] }}>
            <Value>{`${contract['carrier-name']} · ${contractNumber(contract)}`}</Value>
          </TextLink>
        )),
        ...(['roster', 'invoice'] as const).map((kind) =>
          plain<ContractOfMonth>(t(`terms:closingItem.${kind}`), (contract) => (
            <FileState month={month} contract={contract} kind={kind} compared={compared} />
          )),
        ),
        plain(t('terms:closingItem.claims'), (contract) => <ClaimState month={month} contract={contract} />),
        money(t('closings:charged'), 'carrier-total'),
        money(t('closings:expected'), 'expected-total'),
        money(t('closings:difference'), 'discrepancy'),
        money(t('closings:claimed'), 'claimed-total'),
      ]}
    />
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
