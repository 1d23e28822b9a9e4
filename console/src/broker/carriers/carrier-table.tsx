import { Box, Button, Table, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ResponseBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/state-view.tsx'
import { CnpjValue, TextValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CarrierDialog } from './carrier-dialog.tsx'

type Carriers = ResponseBody<'listCarriers'>

/** The carriers that products name, with their registrations. */
export function CarrierTable({ carriers }: { readonly carriers: UseQueryResult<Carriers> }) {
  const { t } = useTranslation('carriers')
  const mayWrite = usePermission('putCarrier')
  const [edited, setEdited] = useState<Carriers['result'][number] | null>(null)
  return (
    <>
      <Title order={2} size="h4" mt="xl" mb="xs">
        {t('carrierData')}
      </Title>
      <QueryView query={carriers}>
        {({ result }) => (
          <Box className="plain-table" tabIndex={0} role="region" aria-label={t('carrierData')}>
            <Table fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t('carrier')}</Table.Th>
                  <Table.Th scope="col">{t('ansRegistration')}</Table.Th>
                  <Table.Th scope="col">{t('taxId')}</Table.Th>
                  {mayWrite && <Table.Th scope="col">{t('actions')}</Table.Th>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {result.map((carrier) => (
                  <Table.Tr key={carrier['carrier-id']}>
                    <Table.Th scope="row" fw={600}>
                      <Value>{carrier.name}</Value>
                    </Table.Th>
                    <Table.Td>
                      <TextValue value={carrier['ans-registration']} />
                    </Table.Td>
                    <Table.Td>
                      <CnpjValue value={carrier['tax-id']} />
                    </Table.Td>
                    {mayWrite && (
                      <Table.Td>
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={t('editCarrier', { name: carrier.name })}
                          translate="no"
                          onClick={() => setEdited(carrier)}
                        >
                          <span translate="yes">{t('edit')}</span>
                        </Button>
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Box>
        )}
      </QueryView>
      {edited !== null && <CarrierDialog carrier={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
