import type { ReactNode } from 'react'
import { plain, type PlainColumn } from '../../components/plain-table.tsx'

/** The header of a column, with the colour of its part of the bars. */
export const Swatch = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <span className={`swatch ${name}`} aria-hidden />
    {children}
  </>
)

/** The numbers of a row, drawn: a bar as long as its total, in parts. */
export const share = <T extends { readonly total: number }>(
  header: string,
  largest: number,
  partsOf: (item: T) => readonly (readonly [name: string, count: number])[],
): PlainColumn<T> =>
  plain(
    header,
    (item) => (
      <div className="stack" aria-hidden style={{ width: `${(100 * item.total) / largest}%` }}>
        {partsOf(item).map(([name, count]) => (
          <span key={name} className={name} style={{ flexGrow: count }} />
        ))}
      </div>
    ),
    { className: 'share' },
  )
