import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { numeric, plain, PlainTable } from '../../components/plain-table.tsx'
import { MoneyValue } from '../../components/value.tsx'
import type { Cause, Charge } from './charge.ts'

/** From the amount of the last invoice to that of this one, cause by cause. */
export function CauseTable({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation('charges')
  return (
    <PlainTable<Cause | null>
      label={t('causes')}
      box={{ style: { maxWidth: '36rem' } }}
      items={[null, ...charge.causes]}
      idOf={(cause) => (cause === null ? 'last' : `${cause.cause} ${cause.certainty}`)}
      columns={[
        plain(t('cause'), (cause) => t(cause === null ? 'lastAmount' : `causeOf.${cause.cause}`)),
        // What an invoice charges is certain.
        charge.basis === 'forecast' &&
          plain<Cause | null>(t('certainty'), (cause) => cause !== null && t(`certaintyOf.${cause.certainty}`)),
        numeric(t('amount'), (cause) => <MoneyValue value={cause === null ? charge['last-amount'] : cause.amount} />),
      ]}
      foot={
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row" colSpan={charge.basis === 'forecast' ? 2 : 1}>
              {t('total')}
            </Table.Th>
            <Table.Th ta="end">
              <MoneyValue value={charge.amount} />
            </Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      }
    />
  )
}
