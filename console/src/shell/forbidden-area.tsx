import { useTranslation } from 'react-i18next'
import { PageHeader } from '../components/page-header.tsx'
import { Forbidden } from '../components/state-view.tsx'
import type { areas } from './areas.ts'

/** In the place of the pages of an area that the role may not see. */
export default function ForbiddenArea({ name }: { readonly name: (typeof areas)[number]['name'] }) {
  const { t } = useTranslation('shell')
  return (
    <>
      <PageHeader title={t(`areas.${name}`)} />
      <Forbidden />
    </>
  )
}
