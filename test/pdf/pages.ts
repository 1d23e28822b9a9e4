/** The text of each page of a PDF that the service wrote, as a reader selects it. */
export function textOfPages(pdf: Buffer): string[] {
  const decoder = new TextDecoder('windows-1252')
  return [...pdf.toString('latin1').matchAll(/stream\n([^]*?)\nendstream/g)].map(([, content = '']) => {
    const lines = [...content.matchAll(/\((.*)\) Tj/g)].map(([, line = '']) => line.replaceAll(/\\([\\()])/g, '$1'))
    return decoder.decode(Buffer.from(lines.join('\n'), 'latin1'))
  })
}
