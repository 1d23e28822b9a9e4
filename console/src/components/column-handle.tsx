import { type KeyboardEvent, type PointerEvent, useRef } from 'react'

const minPixels = 48
const stepPixels = 16

/** The edge of a column's header: widens the column by the pointer, or by the arrow keys. */
export function ColumnHandle(props: { readonly label: string; readonly onResize: (pixels: number) => void }) {
  const widthOf = (handle: Element) => handle.parentElement?.getBoundingClientRect().width ?? 0
  const resize = (pixels: number) => props.onResize(Math.max(minPixels, Math.round(pixels)))
  /** The width of the column less the place of the pointer. */
  const offset = useRef(0)
  const start = ({ currentTarget: handle, clientX, pointerId }: PointerEvent<HTMLElement>) => {
    offset.current = widthOf(handle) - clientX
    handle.setPointerCapture(pointerId)
  }
  const drag = ({ currentTarget: handle, clientX, pointerId }: PointerEvent<HTMLElement>) => {
    if (handle.hasPointerCapture(pointerId)) resize(offset.current + clientX)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? stepPixels : event.key === 'ArrowLeft' ? -stepPixels : 0
    if (step === 0) return
    event.preventDefault()
    resize(widthOf(event.currentTarget) + step)
  }
  return (
    <button
      type="button"
      className="column-handle"
      aria-label={props.label}
      onPointerDown={start}
      onPointerMove={drag}
      onKeyDown={press}
    />
  )
}
