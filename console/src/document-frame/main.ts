/*
 * The script of the frame that shows a document. It gets the bytes from the page: with its opaque origin and its policy it can request nothing
 * of the service but its own scripts.
 */
import './frame.css'
import { showImage } from './image.ts'
import type { MessageFromFrame, MessageToFrame, ShowMessage } from './messages.ts'
import { UnreadableDocument } from './unreadable-document.ts'

const root = document.querySelector<HTMLElement>('#document')
// `origin` is opaque here; the address still tells whose page may embed it.
const consoleOrigin = location.origin
const send = (message: MessageFromFrame) => parent.postMessage(message, consoleOrigin)

/** Draws what is in view again, after a change of the size. */
let redraw = () => {}

async function show(main: HTMLElement, message: ShowMessage): Promise<void> {
  document.documentElement.lang = message.language
  document.title = message.name
  const fail = (error: unknown) =>
    send({ type: 'failed', reason: error instanceof UnreadableDocument ? error.reason : 'damaged' })
  try {
    if (message.contentType === 'application/pdf') {
      const { showPdf } = await import('./pdf.ts')
      const shown = await showPdf(main, message, fail)
      redraw = shown.redraw
      send({ type: 'shown', pages: shown.pages, total: shown.total })
    } else {
      await showImage(main, message)
      send({ type: 'shown', pages: 1, total: 1 })
    }
  } catch (error) {
    fail(error)
  }
}

addEventListener('message', ({ source, origin, data }: MessageEvent<MessageToFrame>) => {
  if (source !== parent || origin !== consoleOrigin || root === null) return
  if (data.type === 'show') void show(root, data)
  else {
    root.style.setProperty('--zoom', String(data.zoom))
    redraw()
  }
})
send({ type: 'ready' })
