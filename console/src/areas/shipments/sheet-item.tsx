import { Button, Table, Text, Title } from '@mantine/core'
import type { Item, Schemas } from '@vigencia/client'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { fieldsOf } from './sheet-fields.ts'
import { ItemStatusBadge } from './shipment-status.tsx'

interface Props {
  readonly item: Item<'listShipmentItems'>
  readonly definition: Schemas['LayoutDefinition']
  /** Of the file. */
  readonly lines: readonly string[]
}

/** A movement with its fields to copy. */
export function SheetItem({ item, definition, lines }: Props) {
  const { t } = useTranslation(['shipments', 'terms'])
  return (
    <>
      <Title order={2} size="h4" mb="xs">
        <Value>{item['member-name']}</Value>
      </Title>
      <Text size="sm" mb="xs">
        {t(`terms:type.${item['enrollment-type']}`)} · <Value>{item['product-name']}</Value>{' '}
        <ItemStatusBadge status={item.status} />
      </Text>
      <FieldTable fields={fieldsOf(definition, lines, item['line-numbers'])} />
    </>
  )
}

/** Each field has a button that copies it; the arrows lead from one to the next, and copying goes on. */
function FieldTable({ fields }: { readonly fields: ReturnType<typeof fieldsOf> }) {
  const { t } = useTranslation(['shipments', 'states'])
  const table = useRef<HTMLDivElement>(null)
  const [copied, setCopied] = useState<number | null>(null)
  const buttons = () => [...(table.current?.querySelectorAll('button') ?? [])]
  useEffect(() => table.current?.querySelector('button')?.focus(), [])
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
            {fields.map(({ label, value }, index) => (
              <Table.Tr key={`${label} ${index}`}>
                <Table.Th scope="row" fw={400} translate="no">
                  {label}
                </Table.Th>
                <Table.Td fw={600}>
                  <Value>{value}</Value>
                </Table.Td>
                <Table.Td w="7rem">
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
