import './layouts.css'
import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RequestBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { required } from '../../forms/required.ts'
import { type Direction, directions } from '../../entities/layouts/layout.ts'
import { PageForm, useSaving } from '../../forms/page-form.tsx'

export interface LayoutValues {
  readonly name: string
  readonly direction: Direction
  readonly source: string
  /** As text. */
  readonly definition: string
}

/** Why a text is no JSON; null when it is. */
function jsonError(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The layout as a document. The service judges it, and says all that is wrong. @param props.layoutId null: a new one. */
export function LayoutForm(props: { readonly layoutId: string | null; readonly initialValues: LayoutValues }) {
  const { layoutId, initialValues } = props
  const { t } = useTranslation(['layouts', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<LayoutValues>({
    initialValues,
    validate: {
      ...required(['name'], t('states:required')),
      definition: (text) => {
        const message = jsonError(text)
        return message === null ? null : t('layouts:invalidJson', { message })
      },
    },
  })
  const saving = useSaving(
    ({ name, direction, source, definition }: LayoutValues) => {
      const body = {
        name: name.trim(),
        direction,
        source: source.trim() || null,
        definition: JSON.parse(definition) as RequestBody<'createLayout'>['definition'],
      }
      return layoutId === null ? api.layouts.create(body) : api.layouts.put(layoutId, body)
    },
    async (layout) => {
      notifyDone(t('layouts:saved', { name: layout.name, version: String(layout.version) }))
      for (const id of ['readLayout', 'listLayouts']) void queryClient.invalidateQueries({ queryKey: [id] })
      await navigate({
        to: '/carriers/layouts/$layoutId',
        params: { layoutId: layout['layout-id'] },
        ignoreBlocker: true,
      })
    },
  )
  return (
    <PageForm form={form} saving={saving} fields={['name', 'source']}>
      <TextInput label={t('layouts:name')} required autoComplete="off" {...form.getInputProps('name')} />
      <Select
        label={t('layouts:direction')}
        description={layoutId === null ? undefined : t('layouts:directionStays')}
        allowDeselect={false}
        disabled={layoutId !== null}
        data={directions.map((value) => ({ value, label: t(`layouts:directions.${value}`) }))}
        {...form.getInputProps('direction')}
      />
      <TextInput label={t('layouts:source')} autoComplete="off" {...form.getInputProps('source')} />
      <Textarea
        label={t('layouts:definition')}
        description={t('layouts:definitionDescription')}
        required
        translate="no"
        rows={24}
        spellCheck={false}
        classNames={{ input: 'layout-json' }}
        {...form.getInputProps('definition')}
      />
    </PageForm>
  )
}
