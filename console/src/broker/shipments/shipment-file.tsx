import { Button, CopyButton, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { formatBytes } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import type { Shipment } from './shipment.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The file of a closed shipment: each download has the same bytes, and their SHA-256. */
export function ShipmentFile(props: { readonly shipment: Shipment; readonly file: NonNullable<Shipment['file']> }) {
  const { shipment, file } = props
  const { t } = useTranslation(['shipments', 'states'])
  const mayRead = usePermission('readShipmentFile')
  return (
    <>
      <SectionTitle mt="lg">{t('shipments:file')}</SectionTitle>
      <Group gap="sm">
        <Text fw={600}>
          <Value>
            {file.name} · {formatBytes(file.size)}
          </Value>
        </Text>
        {mayRead && (
          <Button
            size="xs"
            variant="default"
            component="a"
            href={`/operator/v1/shipment/${encodeURIComponent(shipment['shipment-id'])}/file`}
            download={file.name}
          >
            {t('shipments:download')}
          </Button>
        )}
        <EmailLink shipment={shipment} fileName={file.name} />
        {mayRead && (
          <ButtonLink
            to="/carriers/shipments/$shipmentId/work-sheet"
            params={{ shipmentId: shipment['shipment-id'] }}
            size="xs"
            variant="default"
          >
            {t('shipments:sheet.title')}
          </ButtonLink>
        )}
      </Group>
      <Group gap="xs" mt={4}>
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {t('shipments:sha256')}: <Value>{file.sha256}</Value>
        </Text>
        <CopyButton value={file.sha256}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy} aria-label={t('shipments:copySha')}>
              {t(copied ? 'states:copied' : 'states:copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </>
  )
}

/** The file as an e-mail that opens in a mail program, where the contract is sent by e-mail. */
function EmailLink({ shipment, fileName }: { readonly shipment: Shipment; readonly fileName: string }) {
  const { t } = useTranslation('shipments')
  const mayRead = usePermission('readShipmentEmail')
  const path = [shipment['contract-id']]
  const isByEmail = useOperation('readContract', { path }).data?.result.channel === 'email'
  const channel = useOperation('readContractChannel', { path }, { enabled: mayRead && isByEmail }).data?.result
  if (!mayRead || !isByEmail || channel === undefined) return null
  if (channel.email === null) return <Text size="sm">{t('noEmail')}</Text>
  return (
    <Button
      size="xs"
      variant="default"
      component="a"
      href={`/operator/v1/shipment/${encodeURIComponent(shipment['shipment-id'])}/email`}
      download={`${fileName.replace(/\.\w+$/, '')}.eml`}
    >
      {t('downloadEmail')}
    </Button>
  )
}
