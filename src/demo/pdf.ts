const left = 56
const top = 780
const lineHeight = 22

/** A one-page PDF (1.4, A4) of lines of text, the first as its heading. */
export function writePdf(lines: readonly string[]): Buffer {
  const page = contentOf(lines)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  // Latin-1 has one byte a character, so that positions in the text are positions in the file.
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const start = text.length
  text += `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

function contentOf([heading = '', ...lines]: readonly string[]): string {
  const rows = lines.map((line) => `0 -${lineHeight} Td (${escaped(line)}) Tj`)
  return `BT\n/F1 20 Tf\n${left} ${top} Td (${escaped(heading)}) Tj\n/F1 12 Tf\n0 -${lineHeight} Td\n${rows.join('\n')}\nET`
}

/** Characters that Latin-1 does not have become question marks. */
function escaped(line: string): string {
  return line
    .normalize('NFC')
    .replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, '?')
    .replaceAll(/[\\()]/g, '\\$&')
}
