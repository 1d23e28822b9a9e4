import { Button, Group, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { portalFields } from './portal-fields.ts'
import type { SheetCell } from './sheet-fields.ts'
import { ItemStatusBadge } from '../../entities/shipments/shipment-status.tsx'
import { MovementType } from './item-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

interface Props {
  readonly shipmentId: string
  readonly item: Item<'listShipmentItems'>
  readonly cells: readonly SheetCell[]
  readonly onSaved: () => void
}

/** A movement with its fields to copy, and the protocol that the portal gives for it. */
export function SheetItem({ shipmentId, item, cells, onSaved }: Props) {
  const mayWrite = usePermission('putShipmentItemProtocol')
  return (
    <>
      <SectionTitle>
        <Value>{item['member-name']}</Value>
      </SectionTitle>
      <Text size="sm" mb="xs">
        <MovementType item={item} /> · <Value>{item['product-name']}</Value> <ItemStatusBadge status={item.status} />
      </Text>
      <FieldTable cells={cells} />
      {mayWrite && item.position !== null && (
        <ProtocolForm shipmentId={shipmentId} item={item} position={item.position} onSaved={onSaved} />
      )}
    </>
  )
}

/** Each field has a button that copies it; the arrows lead from one to the next, and copying goes on. */
function FieldTable({ cells }: Pick<Props, 'cells'>) {
  const { t } = useTranslation(['shipments', 'states'])
  const table = useRef<HTMLDivElement>(null)
  const [copied, setCopied] = useState<number | null>(null)
  const buttons = () => [...(table.current?.querySelectorAll('button') ?? [])]
  useEffect(() => {
    table.current?.querySelector('button')?.focus()
  }, [table])
  const copy = async (index: number, value: string) => {
    await navigator.clipboard.writeText(value)
    setCopied(index)
    buttons()[index + 1]?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const index = buttons().findIndex((button) => button === document.activeElement)
    if (step === 0 || index === -1) return
    event.preventDefault()
    buttons()[index + step]?.focus()
  }
  return (
    <>
      <Text size="sm" mb="xs">
        {t('shipments:sheet.hint')}
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the arrows move the focus between its buttons */}
      <div ref={table} className="plain-table" style={{ maxWidth: '50rem' }} onKeyDown={move}>
        <Table fz="sm" verticalSpacing={2}>
          <Table.Tbody>
            {portalFields(cells).map(({ label, heading, value }, index) => (
              <Table.Tr key={`${label} ${index}`}>
                <Table.Th scope="row" fw={400} translate="no" style={{ overflowWrap: 'anywhere' }}>
                  {label}
                  {heading !== null && (
                    <Text component="span" size="xs" c="dimmed" ml="xs" display="inline-block">
                      {heading}
                    </Text>
                  )}
                </Table.Th>
                <Table.Td fw={600} style={{ overflowWrap: 'anywhere' }}>
                  <Value>{value}</Value>
                </Table.Td>
                <Table.Td w={{ base: '5.5rem', sm: '7rem' }}>
                  <Button
                    size="compact-xs"
                    variant="default"
                    translate="no"
                    aria-label={t('shipments:sheet.copy', { field: label })}
                    onClick={() => void copy(index, value)}
                  >
                    <span translate="yes">{t(copied === index ? 'states:copied' : 'states:copy')}</span>
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  )
}

/** The protocol of the portal; Enter stores it and goes on to the next person. */
function ProtocolForm(props: Pick<Props, 'shipmentId' | 'item' | 'onSaved'> & { readonly position: number }) {
  const { shipmentId, item, position, onSaved } = props
  const { t } = useTranslation(['shipments', 'states'])
  const queryClient = useQueryClient()
  const [protocol, setProtocol] = useState(item['carrier-protocol'] ?? '')
  const save = useMutation({
    mutationFn: () =>
      api.shipments.putItemProtocol(shipmentId, String(position), { 'carrier-protocol': protocol.trim() || null }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['listShipmentItems'] })
      onSaved()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" mt="md">
        <TextInput
          label={t('shipments:sheet.protocol')}
          maxLength={60}
          autoComplete="off"
          value={protocol}
          onChange={({ currentTarget: { value } }) => setProtocol(value)}
        />
        <Button type="submit" loading={save.isPending}>
          {t('shipments:sheet.save')}
        </Button>
      </Group>
      {save.error !== null && <ErrorMessage error={save.error} />}
    </form>
  )
}
