import { Button, Fieldset, Group, MultiSelect, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { REFUSAL_STATUSES } from '../../../../src/registry/rules/acknowledgement.ts'
import { changeableFields } from '../../../../src/movements/rules/answer.ts'
import { DOCUMENT_TYPES, type DocumentType } from '../../../../src/kernel/enums.ts'
import { termOf } from '../../../../src/kernel/texts/texts.ts'
import { Value } from '../../components/value.tsx'
import type { ContractFields } from './contract-fields.ts'
import { newMeaning, type PendingItem } from './contract-values.ts'

/** What the codes of the carrier's refusals ask of the partner. */
export function CodeMapFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation(['carriers', 'terms'])
  return (
    <>
      <Text size="sm">{t('carriers:form.codeMapDescription')}</Text>
      {form.values['code-map'].map(({ key }, index) => (
        <Meaning key={key} form={form} index={index} />
      ))}
      <Group>
        <Button variant="default" onClick={() => form.insertListItem('code-map', newMeaning())}>
          {t('carriers:form.addCode')}
        </Button>
      </Group>
    </>
  )
}

function Meaning({ form, index }: { readonly form: ContractFields; readonly index: number }) {
  const { t } = useTranslation(['carriers', 'terms'])
  const path = `code-map.${index}` as const
  const { status } = form.values['code-map'][index] ?? newMeaning()
  const number = String(index + 1)
  return (
    <Fieldset legend={t('carriers:form.codeNumber', { number })} p="sm">
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={t('carriers:form.code')}
            required
            autoComplete="off"
            {...form.getInputProps(`${path}.code`)}
          />
          <Select
            label={t('carriers:form.codeStatus')}
            allowDeselect={false}
            data={REFUSAL_STATUSES.map((value) => ({ value, label: t(`terms:status.${value}`) }))}
            {...form.getInputProps(`${path}.status`)}
          />
          <TextInput
            label={t('carriers:form.codeReason')}
            description={t('carriers:form.codeReasonDescription')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps(`${path}.reason`)}
          />
        </SimpleGrid>
        {status === 'pending-documents' && <Documents form={form} index={index} />}
        {status === 'pending-correction' && <Fields form={form} index={index} />}
        <Group justify="flex-end">
          <Button
            size="xs"
            variant="default"
            aria-label={t('carriers:form.removeCode', { number })}
            onClick={() => form.removeListItem('code-map', index)}
          >
            {t('carriers:form.remove')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}

function Documents({ form, index }: { readonly form: ContractFields; readonly index: number }) {
  const { t } = useTranslation(['decisions', 'terms'])
  const { items } = form.values['code-map'][index] ?? newMeaning()
  const change = (chosen: readonly DocumentType[]) =>
    form.setFieldValue(`code-map.${index}.items`, [
      ...items.filter(({ kind }) => kind === 'field'),
      ...chosen.map(
        (type): PendingItem =>
          items.find((item) => item['document-type'] === type) ?? {
            kind: 'document',
            'document-type': type,
            message: t(`terms:documentType.${type}`),
          },
      ),
    ])
  return (
    <MultiSelect
      label={t('decisions:pendingDocuments')}
      searchable
      value={items.flatMap((item) => item['document-type'] ?? [])}
      onChange={change}
      data={DOCUMENT_TYPES.map((value) => ({ value, label: t(`terms:documentType.${value}`) }))}
    />
  )
}

function Fields({ form, index }: { readonly form: ContractFields; readonly index: number }) {
  const { t, i18n } = useTranslation('decisions')
  const { items } = form.values['code-map'][index] ?? newMeaning()
  const nameOf = (field: string) =>
    (i18n.language === 'pt-BR' ? termOf(field) : undefined) ?? field.replaceAll('-', ' ')
  const change = (chosen: readonly string[]) =>
    form.setFieldValue(`code-map.${index}.items`, [
      ...items.filter(({ kind }) => kind === 'document'),
      ...chosen.map(
        (field): PendingItem =>
          items.find((item) => item.field === field) ?? { kind: 'field', field, message: nameOf(field) },
      ),
    ])
  return (
    <MultiSelect
      label={<span translate="yes">{t('pendingFields')}</span>}
      searchable
      translate="no"
      value={items.flatMap((item) => item.field ?? [])}
      onChange={change}
      renderOption={({ option }) => <Value>{option.label}</Value>}
      data={Object.keys(changeableFields('inclusion')).map((value) => ({ value, label: nameOf(value) }))}
    />
  )
}
