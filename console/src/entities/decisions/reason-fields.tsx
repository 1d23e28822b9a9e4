import { Radio, Stack, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { MAX_REASON_CHARACTERS } from '../../../../src/kernel/field-types.ts'
import type { ReasonTemplate } from './templates.ts'

/**
 * Often used reasons, and the text of the chosen one to edit. The first radio has the focus: a digit chooses, arrows go on, Enter submits
 * the form.
 */
export function ReasonFields(props: {
  readonly templates: readonly ReasonTemplate[]
  readonly chosen: string | null
  readonly text: string
  readonly isRequired: boolean
  readonly error: string | undefined
  readonly onChoose: (template: ReasonTemplate) => void
  readonly onText: (text: string) => void
}) {
  const { t } = useTranslation('decisions')
  const { templates, chosen, onChoose } = props
  const group = useRef<HTMLDivElement>(null)
  return (
    <>
      {templates.length > 0 && (
        <Radio.Group
          ref={group}
          label={t('templatesLabel')}
          description={t('templatesHint')}
          value={chosen}
          onChange={(name) => {
            const template = templates.find((one) => one.name === name)
            if (template !== undefined) onChoose(template)
          }}
          onKeyDown={(event) => {
            const template = /^[1-9]$/.test(event.key) ? templates[Number(event.key) - 1] : undefined
            if (template === undefined) return
            event.preventDefault()
            onChoose(template)
            group.current?.querySelector<HTMLInputElement>(`input[value="${template.name}"]`)?.focus()
          }}
        >
          <Stack gap={6} mt="xs">
            {templates.map((template, index) => (
              <Radio
                key={template.name}
                size="sm"
                value={template.name}
                label={
                  <>
                    <Text span fw={600} aria-hidden>
                      <Value>{index + 1}</Value>
                    </Text>{' '}
                    {t(`templates.${template.name}`)}
                  </>
                }
                {...(index === 0 ? { 'data-autofocus': true } : {})}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <Textarea
        label={t('reason')}
        rows={3}
        maxLength={MAX_REASON_CHARACTERS}
        required={props.isRequired}
        error={props.error}
        value={props.text}
        onChange={(event) => props.onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
    </>
  )
}
