import { Anchor, Group, Text } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../session/session.ts'
import { keepField, type KeptDraft, readKept, removeKept } from './kept-storage.ts'

const KeptContext = createContext<KeptDraft | null>(null)

/**
 * Keeps what is written in the form within it, in this tab of this browser only: telephones load a page again after the camera. It is dropped once it
 * was sent, when a person discards it or signs out, and after some days.
 * @param props.name of the form, and of what it is about.
 */
export function KeptForm({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const session = useSession()
  const [round, setRound] = useState(0)
  const key = `${session?.['client-id'] ?? ''} ${name}`
  return (
    <Kept key={`${key} ${round}`} storageKey={key} onDiscard={() => setRound(round + 1)}>
      {children}
    </Kept>
  )
}

function Kept(props: { readonly storageKey: string; readonly onDiscard: () => void; readonly children: ReactNode }) {
  const { t } = useTranslation('states')
  const { storageKey, onDiscard, children } = props
  const [draft] = useState(() => readKept(storageKey))
  const [isShown, setShown] = useState(draft.isRecovered)
  const discard = () => {
    removeKept(draft)
    setShown(false)
    onDiscard()
  }
  return (
    <KeptContext value={draft}>
      {isShown && (
        <Group gap={6} mb="sm" role="status">
          <Text size="sm">{t('draftRecovered')} ·</Text>
          <Anchor component="button" type="button" size="sm" onClick={discard}>
            {t('discardDraft')}
          </Anchor>
        </Group>
      )}
      {children}
    </KeptContext>
  )
}

/** The state of a field of the form, which is kept. Outside of a `KeptForm` it is only state. */
export function useKept<T>(field: string, initial: () => T): [T, React.Dispatch<React.SetStateAction<T>>] {
  const draft = useContext(KeptContext)
  const [first] = useState<T>(() => (draft?.fields[field] as T | undefined) ?? initial())
  const [value, setValue] = useState(first)
  useEffect(() => {
    if (draft !== null && value !== first) keepField(draft, field, value)
  }, [draft, field, value, first])
  return [value, setValue]
}

/** Drops what is kept of the form. @param isSent then it is dropped at once. @returns drops it. */
export function useDropKept(isSent: boolean): () => void {
  const draft = useContext(KeptContext)
  useEffect(() => {
    if (isSent && draft !== null) removeKept(draft)
  }, [isSent, draft])
  return () => {
    if (draft !== null) removeKept(draft)
  }
}
