import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ResponseBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/state-view.tsx'
import { CnpjValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CarrierDialog } from './carrier-dialog.tsx'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { text } from '../../lists/columns.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

type Carriers = ResponseBody<'listCarriers'>
type Carrier = Carriers['result'][number]

/** The carriers that products name, with their registrations. */
export function CarrierTable({ carriers }: { readonly carriers: UseQueryResult<Carriers> }) {
  const { t } = useTranslation('carriers')
  const mayWrite = usePermission('putCarrier')
  const [edited, setEdited] = useState<Carrier | null>(null)
  return (
    <>
      <SectionTitle mt="xl">{t('carrierData')}</SectionTitle>
      <QueryView query={carriers}>
        {({ result }) => (
          <PlainTable<Carrier>
            label={t('carrierData')}
            items={result}
            idOf={(carrier) => carrier['carrier-id']}
            columns={[
              rowHeader(t('carrier'), ({ name }) => <Value>{name}</Value>, { fw: 600 }),
              text(t('ansRegistration'), 'ans-registration'),
              plain(t('taxId'), (carrier) => <CnpjValue value={carrier['tax-id']} />),
              mayWrite &&
                plain(t('actions'), (carrier) => (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('editCarrier', { name: carrier.name })}
                    translate="no"
                    onClick={() => setEdited(carrier)}
                  >
                    <span translate="yes">{t('edit')}</span>
                  </Button>
                )),
            ]}
          />
        )}
      </QueryView>
      {edited !== null && <CarrierDialog carrier={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
