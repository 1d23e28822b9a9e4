import { expect, test } from 'vitest'
import { type Acknowledgement, carrierMessage, saysTheSame } from '#registry/rules/acknowledgement.ts'

test.each([
  ['  Falta documento  ', 'Falta documento'],
  ['linha 1\r\nlinha 2\tfim', 'linha 1 linha 2 fim'],
  ['\u0000a\u001b[31mb\u202ec', 'a [31mb c'],
  ['x'.repeat(600), 'x'.repeat(500)],
  [`${'x'.repeat(499)}😀`, `${'x'.repeat(499)}\ufffd`],
  ['x\ud800y', 'x\ufffdy'],
  [' \u0007\n ', null],
  ['', null],
])('the message %j of a carrier is stored as %j', (text, stored) => {
  expect(carrierMessage(text)).toBe(stored)
})

const accepted: Acknowledgement = {
  outcome: 'accepted',
  cardNumber: '0045',
  startDate: '2026-12-01',
  endDate: null,
  code: null,
  message: 'ok',
  protocol: 'P1',
}

test.each<[string, Partial<Acknowledgement>, boolean]>([
  ['the same', {}, true],
  ['less', { cardNumber: null, startDate: null }, true],
  ['another message and protocol', { message: null, protocol: 'P2' }, true],
  ['another card', { cardNumber: '0046' }, false],
  ['a date that was not said', { endDate: '2026-12-31' }, false],
  ['another outcome', { outcome: 'refused' }, false],
  ['a code', { code: '17' }, false],
])('a line with %s', (_, line, isSame) => {
  expect(saysTheSame({ ...accepted, ...line }, accepted)).toBe(isSame)
})
