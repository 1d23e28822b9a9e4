import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Item } from '@vigencia/client'

type AnyRole = Item<'listPeople'>['role'] | Item<'listOperators'>['role']

/** The roles, each with what it may do. */
export function RoleField<Role extends AnyRole>(props: {
  readonly roles: readonly Role[]
  readonly value: Role
  readonly onChange: (role: Role) => void
}) {
  const { t } = useTranslation(['people', 'terms'])
  const { roles, value, onChange } = props
  return (
    <Radio.Group
      label={t('people:role')}
      value={value}
      onChange={(chosen) => onChange(roles.find((role) => role === chosen) ?? value)}
    >
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={t(`terms:role.${role}`)}
            description={t(`people:roleDescription.${role}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
