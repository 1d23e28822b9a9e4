import { Group, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { DocumentViewer } from './document-viewer.tsx'
import { formatBytes } from '../../format/bytes.ts'
import { Section } from './section.tsx'

/** The documents of the movement: a list, and the chosen one. */
export function Documents({ enrollmentId }: { readonly enrollmentId: string }) {
  const { t } = useTranslation(['movement', 'terms'])
  const documents = useOperation('listEnrollmentDocuments', { path: [enrollmentId] })
  const [chosenId, choose] = useState<string | null>(null)
  return (
    <Section title={t('movement:documents')}>
      <QueryView query={documents}>
        {({ result }) => {
          const chosen = result.find((one) => one['document-id'] === chosenId) ?? result[0]
          if (chosen === undefined) return <Text size="sm">{t('movement:noDocuments')}</Text>
          return (
            <>
              <Group component="ul" gap="xs" className="documents">
                {result.map((one) => (
                  <li key={`${one['document-id']} ${one['document-type']}`}>
                    <UnstyledButton
                      className="document-choice"
                      aria-pressed={one === chosen}
                      onClick={() => choose(one['document-id'])}
                    >
                      <Text size="sm" fw={600}>
                        {t(`terms:documentType.${one['document-type']}`)}
                      </Text>
                      <Text size="xs" c="dimmed">
                        <Value>
                          {one.name} · {formatBytes(one.size)}
                        </Value>
                      </Text>
                    </UnstyledButton>
                  </li>
                ))}
              </Group>
              <DocumentViewer key={chosen['document-id']} enrollmentId={enrollmentId} document={chosen} />
            </>
          )
        }}
      </QueryView>
    </Section>
  )
}
