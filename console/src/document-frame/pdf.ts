// The worker's code runs in the thread of the frame: an opaque origin cannot start a worker from a script of the service.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist'
import type { ShowMessage } from './messages.ts'
import { UnreadableDocument } from './unreadable-document.ts'

/** The decoders of scanned pages and of JPEG 2000, within scripts: the policy admits no other request. */
const decoders: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  'jbig2.wasm': () => import('pdfjs-dist/wasm/jbig2.wasm?url&inline'),
  'openjpeg.wasm': () => import('pdfjs-dist/wasm/openjpeg.wasm?url&inline'),
}

class InlineDecoders {
  /** What pdf.js would request. @throws for anything but a decoder. */
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const load = decoders[filename]
    if (load === undefined) throw new Error(`no data for ${filename}`)
    const { default: url } = await load()
    return Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))
  }
}

/** Larger canvases are blank in some browsers. */
const maxPixels = 16_777_216

export interface ShownPdf {
  readonly pages: number
  /** Draws the pages in view for their present width. */
  readonly redraw: () => void
}

/**
 * Shows the pages of a PDF one below another; a page is drawn when it comes into view. Scripts in the PDF do not run.
 * @param onPageError is called when a page cannot be drawn.
 * @throws UnreadableDocument
 */
export async function showPdf(
  main: HTMLElement,
  { bytes, pageLabel }: ShowMessage,
  onPageError: (error: unknown) => void,
): Promise<ShownPdf> {
  const pdf = await open(bytes)
  const first = await pdf.getPage(1).catch(() => {
    throw new UnreadableDocument('damaged')
  })
  const { width, height } = first.getViewport({ scale: 1 })
  const visible = new Set<Element>()
  const holders = Array.from({ length: pdf.numPages }, (_, index) => {
    const holder = document.createElement('div')
    holder.className = 'page'
    holder.role = 'img'
    holder.ariaLabel = pageLabel.replace('{page}', String(index + 1)).replace('{pages}', String(pdf.numPages))
    // Until the page is loaded, the size of the first.
    holder.style.aspectRatio = `${width} / ${height}`
    return holder
  })
  const draw = (holder: HTMLDivElement) =>
    drawPage(pdf, holders.indexOf(holder) + 1, holder).catch((error: unknown) => onPageError(error))
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) {
          visible.delete(target)
          target.replaceChildren()
        } else if (!visible.has(target)) {
          visible.add(target)
          void draw(target as HTMLDivElement)
        }
      }
    },
    { root: document, rootMargin: '100% 0px' },
  )
  main.replaceChildren(...holders)
  for (const holder of holders) observer.observe(holder)
  return {
    pages: pdf.numPages,
    redraw: () => holders.filter((one) => visible.has(one)).forEach((one) => void draw(one)),
  }
}

async function open(data: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data,
      isEvalSupported: false,
      enableXfa: false,
      useWorkerFetch: false,
      BinaryDataFactory: InlineDecoders,
      wasmUrl: 'inline/',
      verbosity: 0,
    }).promise
  } catch (error) {
    // pdf.js does not export the class.
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new UnreadableDocument(isLocked ? 'password' : 'damaged')
  }
}

async function drawPage(pdf: PDFDocumentProxy, number: number, holder: HTMLElement): Promise<void> {
  const page: PDFPageProxy = await pdf.getPage(number)
  const size = page.getViewport({ scale: 1 })
  holder.style.aspectRatio = `${size.width} / ${size.height}`
  const scale = Math.min(
    (holder.clientWidth * devicePixelRatio) / size.width,
    Math.sqrt(maxPixels / (size.width * size.height)),
  )
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  await page.render({ canvas, viewport }).promise
  holder.replaceChildren(canvas)
}
