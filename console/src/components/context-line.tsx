import './object-head.css'
import type { ReactNode } from 'react'

/** What an object belongs to, in one line under its title: company, contract, month. Those that are false or null are left out. */
export function ContextLine({ items }: { readonly items: readonly (ReactNode | false | null)[] }) {
  return (
    <ul className="context-line">
      {items.map((item, index) => item !== false && item !== null && <li key={index}>{item}</li>)}
    </ul>
  )
}
