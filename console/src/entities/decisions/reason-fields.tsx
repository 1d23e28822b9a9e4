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
  /** Its place. */
  readonly chosen: number | null
  readonly text: string
  readonly isRequired: boolean
  readonly error: string | undefined
  readonly onChoose: (chosen: number) => void
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
          value={chosen === null ? null : String(chosen)}
          onChange={(place) => onChoose(Number(place))}
          onKeyDown={(event) => {
            const place = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : templates.length
            if (place >= templates.length) return
            event.preventDefault()
            onChoose(place)
            group.current?.querySelector<HTMLInputElement>(`input[value="${place}"]`)?.focus()
          }}
        >
          <Stack gap={6} mt="xs">
            {templates.map((template, index) => (
              <Radio
                key={index}
                size="sm"
                value={String(index)}
                label={
                  <>
                    <Text span fw={600} aria-hidden>
                      <Value>{index + 1}</Value>
                    </Text>{' '}
                    <Value>{template.text}</Value>
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
