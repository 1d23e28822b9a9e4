import { Button, Group, Kbd, Text } from '@mantine/core'
import { useHotkeys, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Schemas } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden, QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { readFields } from './sheet-fields.ts'
import type { Shipment } from './shipment.ts'
import { SheetItem } from './sheet-item.tsx'

const route = getRouteApi('/shell/carriers/shipments/$shipmentId/work-sheet')

/** The movements of a closed shipment, one at a time, as they are typed into the portal of the carrier. */
export function WorkSheetPage() {
  const { t } = useTranslation('shipments')
  const { shipmentId } = route.useParams()
  const mayRead = usePermission('readShipmentFile')
  const shipment = useOperation('readShipment', { path: [shipmentId] }, { enabled: mayRead })
  return (
    <>
      <PageHeader title={t('sheet.title')}>
        <ButtonLink to="/carriers/shipments/$shipmentId" params={{ shipmentId }} variant="default">
          {t('sheet.back')}
        </ButtonLink>
      </PageHeader>
      {mayRead ? (
        <QueryView query={shipment}>{({ result }) => <ShipmentSheet shipment={result} />}</QueryView>
      ) : (
        <Forbidden />
      )}
    </>
  )
}

function ShipmentSheet({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation('shipments')
  const { 'layout-id': layoutId, 'layout-version': version } = shipment
  const layout = useOperation(
    'readLayout',
    { path: [layoutId ?? ''], query: { version: version ?? undefined } },
    { enabled: layoutId !== null },
  )
  if (layoutId === null) return <Text>{t('sheet.open')}</Text>
  return (
    <QueryView query={layout}>
      {({ result: { definition } }) => <Sheet shipment={shipment} definition={definition} />}
    </QueryView>
  )
}

function Sheet(props: { readonly shipment: Shipment; readonly definition: Schemas['LayoutDefinition'] }) {
  const { shipment, definition } = props
  const { t } = useTranslation('shipments')
  const { position = 1 } = route.useSearch()
  const navigate = useNavigate()
  const shipmentId = shipment['shipment-id']
  const [hasKeys] = useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
  const file = useQuery({
    queryKey: ['readShipmentFile', shipmentId, shipment.file?.sha256],
    queryFn: async ({ signal }) => {
      const download = await api.operations.download('readShipmentFile', { path: [shipmentId], options: { signal } })
      return readFields(definition, await new Response(download.body).arrayBuffer())
    },
  })
  const items = useOperation('listShipmentItems', {
    path: [shipmentId],
    query: { page: position, 'items-per-page': 1 },
  })
  const total = items.data?.pagination['total-items'] ?? 0
  const go = (next: number) => {
    if (next < 1 || next > total) return
    void navigate({
      to: '/carriers/shipments/$shipmentId/work-sheet',
      params: { shipmentId },
      search: { position: next },
      replace: true,
    })
  }
  useHotkeys(
    hasKeys
      ? [
          ['j', () => go(position + 1)],
          ['k', () => go(position - 1)],
        ]
      : [],
  )
  return (
    <QueryView query={file}>
      {(fieldsOf) => (
        <QueryView query={items}>
          {({ result: [item] }) => (
            <>
              <Group mb="md">
                <Button
                  variant="default"
                  disabled={position <= 1}
                  aria-keyshortcuts="k"
                  onClick={() => go(position - 1)}
                >
                  {t('sheet.previous')} {hasKeys && <Key of="k" />}
                </Button>
                <Button
                  variant="default"
                  disabled={position >= total}
                  aria-keyshortcuts="j"
                  onClick={() => go(position + 1)}
                >
                  {t('sheet.next')} {hasKeys && <Key of="j" />}
                </Button>
                <Text role="status">
                  <Value>
                    {position} / {total}
                  </Value>
                </Text>
              </Group>
              {item !== undefined && (
                <SheetItem
                  key={item['enrollment-id']}
                  shipmentId={shipmentId}
                  item={item}
                  cells={fieldsOf(item)}
                  onSaved={() => go(position + 1)}
                />
              )}
            </>
          )}
        </QueryView>
      )}
    </QueryView>
  )
}

function Key({ of: key }: { readonly of: string }) {
  return (
    <Kbd size="xs" ml={6} aria-hidden translate="no">
      {key}
    </Kbd>
  )
}
