import { Text } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SectionTitle } from '../../components/section-title.tsx'

const maxShown = 20

interface Props {
  readonly lines: readonly string[]
  /** The characters of a line. */
  readonly length: number
  /** The characters after which a column ends. */
  readonly cuts: readonly number[]
  readonly onToggle: (position: number) => void
}

/** `....:....1....:....2`: `1` stands over character 10. */
const rulerOf = (length: number) =>
  Array.from({ length }, (_, index) => {
    const at = index + 1
    if (at % 10 === 0) return String((at / 10) % 10)
    return at % 5 === 0 ? ':' : '.'
  }).join('')

/** Lines of a file of fixed width under a ruler, on which a click, or the keyboard, sets and removes the cuts between columns. */
export function Ruler({ lines, length, cuts, onToggle }: Props) {
  const { t } = useTranslation('layouts')
  const [position, setPosition] = useState(1)
  const last = Math.max(1, length - 1)
  const cursor = Math.min(position, last)
  const isCut = cuts.includes(cursor)
  const moved: Partial<Record<string, number>> = {
    ArrowLeft: cursor - 1,
    ArrowDown: cursor - 1,
    ArrowRight: cursor + 1,
    ArrowUp: cursor + 1,
    PageDown: cursor - 10,
    PageUp: cursor + 10,
    Home: 1,
    End: last,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moved[event.key]
    if (to === undefined && event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (to === undefined) onToggle(cursor)
    else setPosition(Math.max(1, Math.min(to, last)))
  }
  const onClick = ({ clientX, currentTarget }: MouseEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.round(((clientX - left) / width) * length)
    if (at < 1 || at > last) return
    setPosition(at)
    onToggle(at)
  }
  return (
    <section>
      <SectionTitle mb={0}>{t('ruler')}</SectionTitle>
      <Text size="sm" c="dimmed">
        {t('rulerHelp')}
      </Text>
      <div className="layout-ruler" role="region" aria-label={t('lines')} tabIndex={0}>
        <div role="presentation" className="layout-ruler-lines" style={{ width: `${length}ch` }} onClick={onClick}>
          <div
            role="slider"
            tabIndex={0}
            aria-label={t('cutPosition')}
            aria-valuemin={1}
            aria-valuemax={last}
            aria-valuenow={cursor}
            aria-valuetext={t(isCut ? 'cutThere' : 'noCutThere', { position: String(cursor) })}
            className="layout-ruler-scale"
            translate="no"
            onKeyDown={onKeyDown}
          >
            {rulerOf(length)}
            <span className="layout-ruler-cursor" style={{ insetInlineStart: `${cursor}ch` }} />
          </div>
          <pre translate="no">{lines.slice(0, maxShown).join('\n')}</pre>
          {cuts.map((cut) => (
            <span key={cut} className="layout-ruler-cut" style={{ insetInlineStart: `${cut}ch` }} />
          ))}
        </div>
      </div>
    </section>
  )
}
