import { Button, Group, Image, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LOGO_TYPES, type LogoType, MAX_LOGO_BYTES } from '../../../../src/registry/rules/settings.ts'
import { FileDrop } from '../../components/file-drop.tsx'
import { PageForm } from '../../forms/page-form.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { type Settings, useSettingsForm } from './save-settings.ts'

interface Values {
  readonly 'broker-name': string
  readonly logo: Settings['logo']
}

/** The name and the logo that everybody sees. */
export function BrandForm({ settings }: { readonly settings: Settings }) {
  const { base, initialValues, saving } = useSettingsForm<Values>(settings, {
    valuesOf: (one) => ({ 'broker-name': one['broker-name'] ?? '', logo: one.logo }),
    partOf: ({ 'broker-name': name, logo }) => ({ 'broker-name': name.trim() === '' ? null : name.trim(), logo }),
  })
  return <Fields key={base['updated-at']} initialValues={initialValues} saving={saving} />
}

function Fields({
  initialValues,
  saving,
}: {
  readonly initialValues: Values
  readonly saving: ReturnType<typeof useSettingsForm<Values>>['saving']
}) {
  const { t } = useTranslation('settings')
  const mayWrite = usePermission('putSettings')
  const [isRefused, setRefused] = useState(false)
  const form = useForm<Values>({ initialValues })
  const { logo } = form.values
  const choose = async (file: File) => {
    const chosen = await read(file)
    setRefused(chosen === null)
    if (chosen !== null) form.setFieldValue('logo', chosen)
  }
  const fields = (
    <Stack gap="md">
      <TextInput
        label={t('brokerName')}
        description={t('brokerNameDescription')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={100}
        readOnly={!mayWrite}
        autoComplete="off"
        {...form.getInputProps('broker-name')}
      />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          {t('logo')}
        </Text>
        {logo !== null && (
          <Group>
            <Image
              src={`data:${logo['content-type']};base64,${logo.data}`}
              alt={t('logo')}
              h={48}
              w="auto"
              maw="16rem"
              fit="contain"
            />
            {mayWrite && (
              <Button variant="default" size="xs" onClick={() => form.setFieldValue('logo', null)}>
                {t('removeLogo')}
              </Button>
            )}
          </Group>
        )}
        {mayWrite && (
          <FileDrop
            label={t('logoFile')}
            accept={[...LOGO_TYPES]}
            maxSize={MAX_LOGO_BYTES}
            refused={t('logoRefused')}
            onFile={(file) => void choose(file)}
          >
            {t('dropLogo')}
          </FileDrop>
        )}
        {(isRefused || form.errors['logo.data'] !== undefined) && (
          <Text role="alert" size="sm" c="red">
            {t('logoRefused')}
          </Text>
        )}
      </Stack>
    </Stack>
  )
  return mayWrite ? (
    <PageForm form={form} saving={saving} fields={['broker-name', 'data']}>
      {fields}
    </PageForm>
  ) : (
    fields
  )
}

/** The image as the service takes it; null: another type of file. */
async function read(file: File): Promise<Settings['logo']> {
  const type = LOGO_TYPES.find((one) => one === file.type)
  if (type === undefined) return null
  const bytes = new Uint8Array(await file.arrayBuffer())
  return {
    'content-type': type satisfies LogoType,
    data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  }
}
