/* A message as a mail program opens it (RFC 5322, RFC 2045 to 2047). */

export interface Email {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly attachment: {
    /** ASCII without quotation marks. */
    readonly name: string
    readonly mediaType: string
    readonly content: Uint8Array
  }
  /** An id in ASCII, such as a checksum: the same message has the same bytes. */
  readonly id: string
}

const lineEnd = '\r\n'
const maxLine = 76
/** The bytes of an encoded word: in base64 it fits into a line, `Subject: =?UTF-8?B?` and `?=` among them. */
const bytesOfWord = 39

/** The bytes of an e-mail without a sender and a date: the mail program that sends it adds them. */
export function writeEmail({ to, cc, subject, text, attachment, id }: Email): Buffer {
  const boundary = `vigencia-${id}`
  const lines = [
    // Opens as a draft.
    'X-Unsent: 1',
    `To: ${addresses(to)}`,
    ...(cc.length === 0 ? [] : [`Cc: ${addresses(cc)}`]),
    `Subject: ${encodedWords(subject)}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    base64(Buffer.from(text.replaceAll(/\r?\n/g, lineEnd))),
    `--${boundary}`,
    `Content-Type: ${attachment.mediaType}; name="${attachment.name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${attachment.name}"`,
    '',
    base64(attachment.content),
    `--${boundary}--`,
    '',
  ]
  return Buffer.from(lines.join(lineEnd))
}

function addresses(list: readonly string[]): string {
  return list.join(`,${lineEnd} `)
}

/** ASCII as it is, all else as encoded words, each of whole characters. */
function encodedWords(text: string): string {
  if (/^[ -~]{0,60}$/.test(text) && !text.includes('=?')) return text
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > bytesOfWord) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((text) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`).join(`${lineEnd} `)
}

function base64(content: Uint8Array): string {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64')
  const lines: string[] = []
  for (let at = 0; at < text.length; at += maxLine) lines.push(text.slice(at, at + maxLine))
  return lines.join(lineEnd)
}
