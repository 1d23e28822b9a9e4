import { Button, Fieldset, Group, MultiSelect, Select, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { DOCUMENT_TYPES } from '../../../../src/kernel/enums.ts'
import { MAX_REASON_CHARACTERS } from '../../../../src/kernel/field-types.ts'
import { changeableFields } from '../../../../src/movements/rules/answer.ts'
import { MAX_REASON_TEMPLATES, TEMPLATE_TARGETS, type TemplateTarget } from '../../../../src/registry/rules/settings.ts'
import { fieldName } from '../../components/field-words.ts'
import { Value } from '../../components/value.tsx'
import { builtInTemplates, type ReasonTemplate } from '../../entities/decisions/templates.ts'
import { PageForm } from '../../forms/page-form.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { type Settings, useSettingsForm } from './save-settings.ts'

interface Row {
  readonly key: string
  readonly target: TemplateTarget
  readonly text: string
  readonly 'document-types': string[]
  readonly 'correction-fields': string[]
}
interface Values {
  readonly 'reason-templates': Row[]
}

let rows = 0
const rowOf = (one: ReasonTemplate): Row => ({
  key: `reason-${++rows}`,
  target: one.target,
  text: one.text,
  'document-types': [...(one['document-types'] ?? [])],
  'correction-fields': [...(one['correction-fields'] ?? [])],
})

/** The reasons that a decision offers, in their order. */
export function ReasonForm({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('decisions')
  const { base, initialValues, saving } = useSettingsForm<Values>(settings, {
    valuesOf: (one) => ({ 'reason-templates': (one['reason-templates'] ?? builtInTemplates(t)).map(rowOf) }),
    partOf: ({ 'reason-templates': templates }) => ({ 'reason-templates': templates.map(bodyOf) }),
  })
  return <Fields key={base['updated-at']} initialValues={initialValues} saving={saving} />
}

/** What belongs to another decision than the row's is not sent. */
const bodyOf = ({ target, text, 'document-types': types, 'correction-fields': fields }: Row) =>
  ({
    target,
    text: text.trim(),
    'document-types': target === 'pending-documents' ? types : [],
    'correction-fields': target === 'pending-correction' ? fields : [],
  }) as ReasonTemplate

function Fields({
  initialValues,
  saving,
}: {
  readonly initialValues: Values
  readonly saving: ReturnType<typeof useSettingsForm<Values>>['saving']
}) {
  const { t } = useTranslation(['settings', 'terms', 'states'])
  const mayWrite = usePermission('putSettings')
  const form = useForm<Values>({
    initialValues,
    validate: { 'reason-templates': { text: (text) => (text.trim() === '' ? t('states:required') : null) } },
  })
  const templates = form.values['reason-templates']
  if (!mayWrite) {
    return (
      <Stack gap="xs">
        <Text size="sm">{t('settings:reasonsText')}</Text>
        {templates.map(({ key, target, text }) => (
          <Text key={key} size="sm">
            {t(`terms:status.${target}`)}: <Value>{text}</Value>
          </Text>
        ))}
      </Stack>
    )
  }
  return (
    <PageForm form={form} saving={saving} fields={['target', 'text', 'document-types', 'correction-fields']}>
      <Text size="sm">{t('settings:reasonsText')}</Text>
      {templates.map(({ key, target }, index) => {
        const path = `reason-templates.${index}` as const
        const number = index + 1
        return (
          <Fieldset key={key} legend={t('settings:reasonNumber', { number })} p="sm">
            <Stack gap="xs">
              <Select
                label={t('settings:reasonFor')}
                allowDeselect={false}
                data={TEMPLATE_TARGETS.map((value) => ({ value, label: t(`terms:status.${value}`) }))}
                {...form.getInputProps(`${path}.target`)}
              />
              <Textarea
                label={t('settings:reasonWords')}
                required
                autosize
                minRows={1}
                maxLength={MAX_REASON_CHARACTERS}
                {...form.getInputProps(`${path}.text`)}
              />
              {target === 'pending-documents' && (
                <MultiSelect
                  label={t('settings:reasonDocuments')}
                  searchable
                  data={DOCUMENT_TYPES.map((value) => ({ value, label: t(`terms:documentType.${value}`) }))}
                  {...form.getInputProps(`${path}.document-types`)}
                />
              )}
              {target === 'pending-correction' && (
                <MultiSelect
                  label={t('settings:reasonFields')}
                  searchable
                  data={Object.keys(changeableFields('inclusion')).map((value) => ({ value, label: fieldName(value) }))}
                  {...form.getInputProps(`${path}.correction-fields`)}
                />
              )}
              <Group justify="flex-end" gap="xs">
                <Button
                  variant="default"
                  size="xs"
                  disabled={index === 0}
                  aria-label={t('settings:moveUp', { number })}
                  onClick={() => form.reorderListItem('reason-templates', { from: index, to: index - 1 })}
                >
                  {t('settings:up')}
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('settings:removeReason', { number })}
                  onClick={() => form.removeListItem('reason-templates', index)}
                >
                  {t('settings:remove')}
                </Button>
              </Group>
            </Stack>
          </Fieldset>
        )
      })}
      <Group>
        <Button
          variant="default"
          disabled={templates.length >= MAX_REASON_TEMPLATES}
          onClick={() => form.insertListItem('reason-templates', rowOf({ target: 'rejected', text: '' }))}
        >
          {t('settings:addReason')}
        </Button>
      </Group>
    </PageForm>
  )
}
