import { useCallback, useRef } from 'react'

/** The Idempotency-Key of a body: the same until another one is sent, so that what is sent again after a lost response is done once. */
export function useIdempotencyKey(): (body: object) => string {
  const last = useRef({ text: '', key: '' })
  return useCallback((body) => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }, [])
}
