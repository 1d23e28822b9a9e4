import { Radio, Stack } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'

export type Operator = Item<'listOperators'>
export type Role = Operator['role']

const roles: readonly Role[] = ['analyst', 'finance', 'auditor', 'admin']

/** The roles, each with what it may do. */
export function RoleField(props: { readonly value: Role; readonly onChange: (role: Role) => void }) {
  const { t } = useTranslation(['operators', 'terms'])
  return (
    <Radio.Group
      label={t('operators:role')}
      value={props.value}
      onChange={(value) => {
        const role = roles.find((one) => one === value)
        if (role !== undefined) props.onChange(role)
      }}
    >
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={t(`terms:role.${role}`)}
            description={t(`operators:roleDescription.${role}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
