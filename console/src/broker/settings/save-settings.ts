import { useQueryClient } from '@tanstack/react-query'
import type { ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { useReplacing } from '../../forms/page-form.tsx'

export type Settings = ResponseBody<'readSettings'>['result']

/** Replaces a part of the settings; the others stay. */
export function useSettingsForm<Values>(
  settings: Settings,
  options: {
    readonly valuesOf: (settings: Settings) => Values
    readonly partOf: (values: Values) => Partial<Omit<Settings, 'updated-at'>>
  },
) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const replacing = useReplacing<Settings, Values, Settings>(settings, {
    valuesOf: options.valuesOf,
    read: () => api.settings.get(),
    stateOf: (one) => one['updated-at'],
    put: (values, { 'updated-at': _at, ...before }) => api.settings.put({ ...before, ...options.partOf(values) }),
    onSaved: async (saved) => {
      notifyDone(t('saved'))
      // The page stays: the next change begins with what was saved.
      replacing.load(saved)
      await queryClient.invalidateQueries({ queryKey: ['readSettings'] })
      await queryClient.invalidateQueries({ queryKey: ['readBrand'] })
    },
    changed: t('changedMeanwhile'),
    load: t('loadCurrent'),
  })
  return replacing
}
