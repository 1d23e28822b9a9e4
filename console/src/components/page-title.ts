import { useEffect } from 'react'

/** Names the page in the tab and the history of the browser. @param name of the object, or of the list. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Vigencia`
  }, [name])
}
