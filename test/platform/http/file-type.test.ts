import { expect, test } from 'vitest'
import { fileTypeOf } from '#platform/http/file-type.ts'

const box = (brand: string) => Buffer.concat([Buffer.from('00000020', 'hex'), Buffer.from(`ftyp${brand}`)])

test.each([
  ['%PDF-1.4', 'application/pdf'],
  ['%PDF-2.0', 'application/pdf'],
  ['%PDF', null],
  ['\ufeff\r\n%PDF-1.4', 'application/pdf'],
  [`${' '.repeat(1024)}%PDF-1.4`, 'application/pdf'],
  [`${' '.repeat(1025)}%PDF-1.4`, null],
  ['#!/bin/sh\n%PDF-1.4', null],
  ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  ['RIFF\0\0\0\0WAVEfmt ', null],
  [Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
  [Buffer.from('ffd8ffdb', 'hex'), 'image/jpeg'],
  [Buffer.from('ffd8', 'hex'), null],
  [Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  [Buffer.from('89504e470a1a0a', 'hex'), null],
  [Buffer.from('49492a00', 'hex'), 'image/tiff'],
  [Buffer.from('4d4d002a', 'hex'), 'image/tiff'],
  [Buffer.from('4d4d2a00', 'hex'), null],
  [Buffer.from('49492b00', 'hex'), null],
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].map(
    (brand) => [box(brand), 'image/heic'] as const,
  ),
  ...['isom', 'mp42', 'avif', 'qt  ', 'HEIC', 'hei'].map((brand) => [box(brand), null] as const),
  ['GIF89a', null],
  ['<svg xmlns=', null],
  ['', null],
] as const)('%j is %j', (head, type) => {
  expect(fileTypeOf(Buffer.from(head as string))).toBe(type)
})
