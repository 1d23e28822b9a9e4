import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Email, writeEmail } from '#exchange/channels/email.ts'
import { fillTemplate, templateErrors } from '#exchange/rules/channel.ts'

const email: Email = {
  to: ['movimentacao@aurora.example', 'mesa@aurora.example'],
  cc: ['rh@serra-azul.example'],
  subject: 'Remessa 3',
  text: 'Segue a remessa.\nAté o corte.',
  attachment: { name: '900001-3.csv', mediaType: 'text/csv', content: Buffer.from('a;b\r\n') },
  id: '9f86d081884c7d65',
}

/** Reads a message as a mail program does, as far as the writer goes. */
function read(bytes: Buffer) {
  const [head = '', ...parts] = bytes.toString('latin1').split(/\r\n--vigencia-\w+(?:--)?\r\n/)
  const headers = (text: string) =>
    Object.fromEntries(
      text
        .replaceAll('\r\n ', ' ')
        .split('\r\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    )
  const words = (text: string) =>
    text.replaceAll(/=\?UTF-8\?B\?([\w+/=]*)\?=( (?==\?))?/g, (_, word: string) =>
      Buffer.from(word, 'base64').toString(),
    )
  const bodies = parts.slice(0, 2).map((part) => {
    const [own = '', body = ''] = part.split('\r\n\r\n')
    return { headers: headers(own), content: Buffer.from(body, 'base64') }
  })
  const own = headers(head)
  return { headers: { ...own, Subject: words(own['Subject'] ?? '') }, bodies }
}

test('an e-mail has its recipients, its text and the file, byte for byte, and opens as a draft', () => {
  const { headers, bodies } = read(writeEmail(email))
  expect(headers).toMatchObject({
    'X-Unsent': '1',
    To: 'movimentacao@aurora.example, mesa@aurora.example',
    Cc: 'rh@serra-azul.example',
    Subject: 'Remessa 3',
  })
  expect(bodies[0]?.content.toString()).toBe('Segue a remessa.\r\nAté o corte.')
  expect(bodies[1]?.headers['Content-Disposition']).toBe('attachment; filename="900001-3.csv"')
  expect(bodies[1]?.content).toEqual(email.attachment.content)
  expect(writeEmail(email)).toEqual(writeEmail(email))
})

test('any subject and any file come back as they were, in lines of ASCII of at most 76 characters', () => {
  const subject = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((text) => !/\p{Cc}/u.test(text))
  fc.assert(
    fc.property(subject, fc.uint8Array({ maxLength: 500 }), (subject, content) => {
      const bytes = writeEmail({ ...email, subject, attachment: { ...email.attachment, content } })
      const text = bytes.toString('latin1')
      const message = read(bytes)
      expect(message.headers.Subject).toBe(subject.toWellFormed())
      expect(message.bodies[1]?.content).toEqual(Buffer.from(content))
      expect(text).toMatch(/^[\r\n -~]*$/)
      expect(text.split('\r\n').filter((line) => line.length > 76)).toEqual([])
    }),
    { seed: 34, numRuns: 300 },
  )
})

test('a template takes the names that it knows', () => {
  expect(templateErrors('email.text', 'Remessa {shipment-number} de {company-name}')).toEqual([])
  expect(templateErrors('email.text', 'CPF {tax-id}')).toMatchObject([{ field: 'email.text', code: 'invalid' }])
  const values = { 'shipment-number': '3', items: '{company-name}' } as Parameters<typeof fillTemplate>[1]
  expect(fillTemplate('{shipment-number}: {items}', values)).toBe('3: {company-name}')
})
