import './form-sections.css'
import { Anchor, Text } from '@mantine/core'
import { createContext, type ReactNode, useContext, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { SectionTitle } from '../../components/section-title.tsx'

const sections = ['parties', 'conditions', 'plans', 'calendar', 'money', 'files', 'answers', 'contacts'] as const
type Section = (typeof sections)[number]

const Ids = createContext('')

/** A long form with a list of its sections beside it; all of them stay in the one form. */
export function FormSections({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('carriers')
  const id = useId()
  return (
    <div className="form-sections">
      <nav aria-label={t('sections.label')}>
        <ul>
          {sections.map((section) => (
            <li key={section}>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => {
                  const title = document.getElementById(`${id}${section}`)
                  title?.scrollIntoView({ block: 'start' })
                  title?.focus({ preventScroll: true })
                }}
              >
                {t(`sections.${section}.title`)}
              </Anchor>
            </li>
          ))}
        </ul>
      </nav>
      <Ids value={id}>{children}</Ids>
    </div>
  )
}

/** A part of the form, and what it is for. */
export function FormSection({ name, children }: { readonly name: Section; readonly children: ReactNode }) {
  const { t } = useTranslation('carriers')
  const id = useContext(Ids)
  return (
    <section className="form-section" aria-labelledby={`${id}${name}`}>
      <SectionTitle id={`${id}${name}`} tabIndex={-1} mb={4}>
        {t(`sections.${name}.title`)}
      </SectionTitle>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`sections.${name}.text`)}
      </Text>
      {children}
    </section>
  )
}
