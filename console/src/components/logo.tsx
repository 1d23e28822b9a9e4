import { Group, Text } from '@mantine/core'
import { Value } from './value.tsx'
import logo from './logo.svg'

/** The mark and the name of the product. */
export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={logo} alt="" width={24} height={24} />
      <Text fw={700} span>
        <Value>Vigencia</Value>
      </Text>
    </Group>
  )
}
