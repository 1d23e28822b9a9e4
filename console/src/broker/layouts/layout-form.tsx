import './layouts.css'
import { Alert, Button, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RequestBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isWritten } from '../../../../src/registry/rules/layout.ts'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { type Direction, directions, type LayoutDefinition, type LayoutFormat } from '../../entities/layouts/layout.ts'
import { PageForm, useSaving } from '../../forms/page-form.tsx'
import { required } from '../../forms/required.ts'
import { useSession } from '../../session/session.ts'
import { DefinitionEditor } from './definition-editor.tsx'
import { emptyDefinition, type Sample, withSample } from './sample.ts'
import { SampleDrop } from './sample-drop.tsx'

export interface LayoutValues {
  readonly name: string
  readonly direction: Direction
  readonly source: string
  readonly definition: LayoutDefinition
  /** The definition as it is typed; null: it is not. */
  readonly json: string | null
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

const hasColumns = ({ records }: LayoutDefinition) => records.some(({ columns }) => columns.length > 0)

/** A layout by its columns. The service judges it, and says all that is wrong. @param props.layoutId null: a new one. */
export function LayoutForm(props: { readonly layoutId: string | null; readonly initialValues: LayoutValues }) {
  const { layoutId, initialValues } = props
  const { t } = useTranslation(['layouts', 'states'])
  const isAdmin = useSession()?.role === 'admin'
  const [sample, setSample] = useState<Sample | null>(null)
  const form = useForm<LayoutValues>({
    initialValues,
    validate: {
      ...required(['name'], t('states:required')),
      json: (text) => {
        const message = text === null ? null : jsonError(text)
        return message === null ? null : t('layouts:invalidJson', { message })
      },
      definition: (definition, { json }) =>
        json !== null || hasColumns(definition) ? null : t('layouts:noColumnsYet'),
    },
  })
  const { direction, definition, json } = form.values
  const begin = (nextDirection: Direction, format: LayoutFormat) => {
    setSample(null)
    form.setValues({ direction: nextDirection, definition: emptyDefinition(nextDirection, format) })
  }
  const formats: readonly LayoutFormat[] = ['csv', 'xlsx', 'fixed-width', 'ndjson']
  return (
    <PageForm form={form} saving={useSave(layoutId)} fields={['name', 'source']}>
      <TextInput label={t('layouts:name')} required autoComplete="off" {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('layouts:purpose')}
          description={layoutId === null ? undefined : t('layouts:directionStays')}
          allowDeselect={false}
          disabled={layoutId !== null}
          data={directions.map((value) => ({ value, label: t(`layouts:purposes.${value}`) }))}
          value={direction}
          onChange={(value) => {
            if (value === null) return
            if (isWritten(value) !== isWritten(direction) || value === 'payroll' || direction === 'payroll') {
              begin(value, definition.format)
            } else form.setFieldValue('direction', value)
          }}
        />
        <Select
          label={t('layouts:format')}
          description={layoutId === null ? undefined : t('layouts:formatStays')}
          allowDeselect={false}
          disabled={layoutId !== null}
          data={formats.map((value) => ({ value, label: t(`layouts:formats.${value}`) }))}
          value={definition.format}
          onChange={(value) => value !== null && begin(direction, value)}
        />
      </SimpleGrid>
      <TextInput label={t('layouts:source')} autoComplete="off" {...form.getInputProps('source')} />
      {json === null ? (
        <>
          {definition.format !== 'ndjson' && (
            <SampleDrop
              format={hasColumns(definition) ? definition.format : null}
              onSample={(read) => {
                const base = hasColumns(definition) ? definition : emptyDefinition(direction, read.format)
                setSample(read)
                form.setFieldValue('definition', withSample(direction, base, read))
              }}
            />
          )}
          <DefinitionEditor
            key={`${direction} ${definition.format}`}
            direction={direction}
            definition={definition}
            sample={sample?.format === definition.format ? sample : null}
            onChange={(edit) => form.setFieldValue('definition', edit)}
          />
          {form.errors['definition'] !== undefined && (
            <Alert color="red" role="alert">
              {form.errors['definition']}
            </Alert>
          )}
        </>
      ) : (
        <Alert variant="default" title={t('layouts:asJson')}>
          <Button size="xs" variant="default" onClick={() => form.setFieldValue('json', null)}>
            {t('layouts:undoJson')}
          </Button>
        </Alert>
      )}
      {isAdmin && (
        <details>
          <summary>{t('states:rawView')}</summary>
          <Textarea
            label={t('layouts:definition')}
            description={t('layouts:definitionDescription')}
            translate="no"
            rows={24}
            spellCheck={false}
            classNames={{ input: 'layout-json' }}
            value={json ?? JSON.stringify(definition, null, 2)}
            error={form.errors['json']}
            onChange={({ currentTarget: { value } }) => form.setFieldValue('json', value)}
          />
        </details>
      )}
    </PageForm>
  )
}

function useSave(layoutId: string | null) {
  const { t } = useTranslation('layouts')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useSaving(
    ({ name, direction, source, definition, json }: LayoutValues) => {
      const body = {
        name: name.trim(),
        direction,
        source: source.trim() || null,
        definition: json === null ? definition : (JSON.parse(json) as RequestBody<'createLayout'>['definition']),
      }
      return layoutId === null ? api.layouts.create(body) : api.layouts.put(layoutId, body)
    },
    async (layout) => {
      notifyDone(t('saved', { name: layout.name, version: String(layout.version) }))
      for (const id of ['readLayout', 'listLayouts']) void queryClient.invalidateQueries({ queryKey: [id] })
      await navigate({
        to: '/carriers/layouts/$layoutId',
        params: { layoutId: layout['layout-id'] },
        ignoreBlocker: true,
      })
    },
  )
}
