import { Box, List, Table, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import type { Shipment } from './shipment.ts'
import { MovementType } from './item-table.tsx'

const maxShown = 100

/** The movements that the file cannot have, with what is wrong in whole sentences. */
export function NotReady({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation(['shipments', 'terms'])
  const query = { status: 'not-ready', 'items-per-page': maxShown }
  const mayReadFamily = usePermission('readMovement')
  const items = useOperation('listShipmentItems', { path: [shipment['shipment-id']], query })
  return (
    <section>
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t('shipments:problems')}
      </Title>
      <Text size="sm" mb="xs">
        {t('shipments:problemsHint')}
      </Text>
      <QueryView query={items}>
        {({ result, pagination }) => (
          <>
            <Box
              className="plain-table"
              mah="50vh"
              style={{ overflowY: 'auto' }}
              tabIndex={0}
              role="region"
              aria-label={t('shipments:problems')}
            >
              <Table fz="sm" verticalSpacing={4}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">{t('shipments:name')}</Table.Th>
                    <Table.Th scope="col">{t('shipments:type')}</Table.Th>
                    <Table.Th scope="col">{t('shipments:product')}</Table.Th>
                    <Table.Th scope="col">{t('shipments:problem')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {result.map((item) => (
                    <Table.Tr key={item['enrollment-id']} style={{ verticalAlign: 'top' }}>
                      <Table.Th scope="row" fw={400} className="nowrap">
                        <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: item['enrollment-id'] }}>
                          <Value>{item['member-name']}</Value>
                        </TextLink>
                      </Table.Th>
                      <Table.Td>
                        <MovementType item={item} />
                      </Table.Td>
                      <Table.Td>
                        <Value>{item['product-name']}</Value>
                      </Table.Td>
                      <Table.Td>
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
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Box>
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
