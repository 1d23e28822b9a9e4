import { List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import type { Shipment } from './shipment.ts'
import { MovementType } from './item-table.tsx'
import { PlainTable, plain, rowHeader, topAligned } from '../../components/plain-table.tsx'
import { text } from '../../lists/columns.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const maxShown = 100

/** The movements that the file cannot have, with what is wrong in whole sentences. */
export function NotReady({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation(['shipments', 'terms'])
  const query = { status: 'not-ready', 'items-per-page': maxShown }
  const mayReadFamily = usePermission('readMovement')
  const items = useOperation('listShipmentItems', { path: [shipment['shipment-id']], query })
  return (
    <section>
      <SectionTitle mt="lg">{t('shipments:problems')}</SectionTitle>
      <Text size="sm" mb="xs">
        {t('shipments:problemsHint')}
      </Text>
      <QueryView query={items}>
        {({ result, pagination }) => (
          <>
            <PlainTable<(typeof result)[number]>
              label={t('shipments:problems')}
              box={{ style: { maxHeight: '50vh' } }}
              verticalSpacing={4}
              items={result}
              idOf={(item) => item['enrollment-id']}
              rowOf={topAligned}
              columns={[
                rowHeader(
                  t('shipments:name'),
                  (item) => (
                    <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: item['enrollment-id'] }}>
                      <Value>{item['member-name']}</Value>
                    </TextLink>
                  ),
                  { fw: 400, className: 'nowrap' },
                ),
                plain(t('shipments:type'), (item) => <MovementType item={item} />),
                text(t('shipments:product'), 'product-name'),
                plain(t('shipments:problem'), (item) => (
                  <List size="sm" listStyleType="none">
                    {item.problems.map(({ code, field, column, message, 'benefit-id': benefitId }) => (
                      <List.Item key={`${code} ${field} ${column} ${benefitId}`}>
                        {benefitId !== null && mayReadFamily && (
                          <DependentName enrollmentId={item['enrollment-id']} benefitId={benefitId} />
                        )}
                        <Value>{message}</Value>
                      </List.Item>
                    ))}
                  </List>
                )),
              ]}
            />
            {pagination['total-items'] > result.length && (
              <Text size="sm" mt={4}>
                {t('shipments:firstOf', {
                  shown: formatNumber(result.length),
                  total: formatNumber(pagination['total-items']),
                })}
              </Text>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

/** Before a problem: the dependent who moves along with the primary, and whom it concerns. */
function DependentName({ enrollmentId, benefitId }: { readonly enrollmentId: string; readonly benefitId: string }) {
  const movement = useOperation('readMovement', { path: [enrollmentId] })
  const relative = movement.data?.result.family.find(({ benefit }) => benefit['benefit-id'] === benefitId)
  return relative === undefined ? null : <Value>{relative.name}: </Value>
}
