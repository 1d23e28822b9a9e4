import { Group, Text } from '@mantine/core'
import { useOperation } from '../api/use-operation.ts'
import { Value } from './value.tsx'
import logo from './logo.svg'

/** The mark and the name of the broker, as the settings have them; else those of the product. */
export function Logo() {
  const brand = useOperation('readBrand', {}, { staleTime: Infinity }).data?.result
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      <img src={brand?.['logo-url'] ?? logo} alt="" height={24} style={{ maxWidth: '8rem', objectFit: 'contain' }} />
      <Text fw={700} span truncate>
        <Value>{brand?.['broker-name'] ?? 'Vigencia'}</Value>
      </Text>
    </Group>
  )
}
