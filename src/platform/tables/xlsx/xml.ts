import { SaxesParser } from 'saxes'
import { TableError } from '../table-error.ts'
import { inflate, unreadable, type ZipEntry } from './zip.ts'

/** What is done with the elements of a document. Names are without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

const maxDepth = 64
/** Several times the longest text of a cell with every character escaped. */
const maxCharactersOfToken = 1024 * 1024

/**
 * Reads a part of a workbook without holding it. A document type is refused, so that no entity is declared or fetched.
 * @param isOver stops the reading early.
 * @throws TableError for what is no well-formed XML in UTF-8 or UTF-16, and errors of the handler.
 */
export async function readXml(entry: ZipEntry, handler: XmlHandler, isOver = () => false): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  let sinceEvent = 0
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('attribute', () => entry.budget.spend())
  parser.on('opentag', ({ name, attributes }) => {
    entry.budget.spend()
    sinceEvent = 0
    depth += 1
    if (depth > maxDepth) throw unreadable()
    handler.open?.(localName(name), attributes)
  })
  const text = (found: string) => {
    sinceEvent = 0
    handler.text?.(found)
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0
    depth -= 1
    handler.close?.(localName(name))
  })
  let decoder = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  try {
    for await (const block of inflate(entry)) {
      if (isFirst) decoder = new TextDecoder(encodingOf(block), { fatal: true })
      isFirst = false
      const found = decoder.decode(block, { stream: true })
      sinceEvent += found.length
      parser.write(found)
      if (isOver()) return
      if (sinceEvent > maxCharactersOfToken) throw unreadable()
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    throw error instanceof TypeError && !(error instanceof TableError) ? unreadable() : error
  }
}

/** By its byte order mark, or by the zero byte of its first `<`. */
function encodingOf([first, second]: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? 'utf-16be' : 'utf-8'
}

function refuse(): never {
  throw unreadable()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
