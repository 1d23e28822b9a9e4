/** Saves bytes or text as a file of the browser's downloads. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun when the click returns.
  setTimeout(() => URL.revokeObjectURL(url))
}
