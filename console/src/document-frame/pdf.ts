import { getDocument, type PDFDocumentProxy, type PDFPageProxy, PDFWorker } from 'pdfjs-dist'
// The query makes the export: Vite compiles the worker into a class.
// oxlint-disable-next-line import/default
import ParserWorker from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&inline'
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

/** A document may claim millions of pages. */
const maxPages = 200

/** The maximum time of opening the document, and of drawing a page. */
const maxMilliseconds = 20_000

export interface ShownPdf {
  readonly pages: number
  /** As the document says. */
  readonly total: number
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
  const { pdf, first } = await open(bytes)
  const { width, height } = first.getViewport({ scale: 1 })
  const visible = new Set<Element>()
  const pages = Math.min(pdf.numPages, maxPages)
  const holders = Array.from({ length: pages }, (_, index) => {
    const holder = document.createElement('div')
    holder.className = 'page'
    holder.role = 'img'
    holder.ariaLabel = pageLabel.replace('{page}', String(index + 1)).replace('{pages}', String(pdf.numPages))
    // Until the page is loaded, the size of the first.
    holder.style.aspectRatio = `${width} / ${height}`
    return holder
  })
  const draw = (holder: HTMLDivElement) =>
    inTime(drawPage(pdf, holders.indexOf(holder) + 1, holder)).catch((error: unknown) => onPageError(error))
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
    pages,
    total: pdf.numPages,
    redraw: () => holders.filter((one) => visible.has(one)).forEach((one) => void draw(one)),
  }
}

async function open(data: Uint8Array): Promise<{ readonly pdf: PDFDocumentProxy; readonly first: PDFPageProxy }> {
  // The frame shares its thread with the page. Its opaque origin cannot start a worker from a script of the service, but from a Blob of its own,
  // which must be a classic script.
  const port = new ParserWorker()
  try {
    const opened = getDocument({
      data,
      worker: PDFWorker.create({ port, verbosity: 0 }),
      isEvalSupported: false,
      enableXfa: false,
      useWorkerFetch: false,
      BinaryDataFactory: InlineDecoders,
      wasmUrl: 'inline/',
      verbosity: 0,
    }).promise.then(async (pdf) => ({ pdf, first: await pdf.getPage(1) }))
    return await inTime(opened)
  } catch (error) {
    port.terminate()
    if (error instanceof UnreadableDocument) throw error
    // pdf.js does not export the class.
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new UnreadableDocument(isLocked ? 'password' : 'damaged')
  }
}

/** @throws UnreadableDocument when it takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer = 0
  const limit = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new UnreadableDocument('slow')), maxMilliseconds)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
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
