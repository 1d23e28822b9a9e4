import type { ShowMessage } from './messages.ts'
import { UnreadableDocument } from './unreadable-document.ts'

const everywhere: readonly string[] = ['image/jpeg', 'image/png']

/**
 * Shows an image. As an image nothing in it runs.
 * @throws UnreadableDocument
 */
export async function showImage(main: HTMLElement, { bytes, contentType, name }: ShowMessage): Promise<void> {
  const image = new Image()
  image.className = 'page'
  image.alt = name
  image.src = URL.createObjectURL(new Blob([bytes], { type: contentType }))
  try {
    await image.decode()
  } catch {
    throw new UnreadableDocument(everywhere.includes(contentType) ? 'damaged' : 'unsupported')
  } finally {
    URL.revokeObjectURL(image.src)
  }
  main.replaceChildren(image)
}
