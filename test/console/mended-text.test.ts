import { expect, test } from 'vitest'
import { withMendedLines } from '../../console/src/tables/mended-text.ts'

/* The text of a dry run's file, with its mended lines, as it is sent again. */

const lineOf = (line: number, content: string, cells: readonly string[]) => ({ line, content, cells })
const header = 'tax-id;name;gender'

test.each([
  [
    'in the middle, other lines as they were',
    `${header}\n1;Ana;f\n2;Bia;x\n3;Caio;m\n`,
    [lineOf(3, '2;Bia;x', ['2', 'Bia', 'f'])],
    `${header}\n1;Ana;f\n2;Bia;f\n3;Caio;m\n`,
  ],
  [
    'of several lines in quotes, before another one',
    `${header}\n1;"Ana\nLima";x\n2;Bia;x\n3;Caio;m`,
    [lineOf(2, '1;"Ana\nLima";x', ['1', 'Ana Lima', 'f']), lineOf(4, '2;Bia;x', ['2', 'Bia; B', 'f'])],
    `${header}\n1;Ana Lima;f\n2;"Bia; B";f\n3;Caio;m`,
  ],
  [
    'with tabs and an empty last cell',
    'tax-id\tname\tgender\n1\tAna\tx\n',
    [lineOf(2, '1\tAna\tx', ['1', 'Ana', ''])],
    'tax-id\tname\tgender\n1\tAna\t\n',
  ],
  [
    'of a file with the offenses of an earlier import',
    `${header};offenses\n1;Ana;x;invalid-gender\n`,
    [lineOf(2, '1;Ana;x;invalid-gender', ['1', 'Ana', 'f'])],
    `${header};offenses\n1;Ana;f;\n`,
  ],
])('a mended line %s', (_, text, mended, expected) => {
  expect(withMendedLines(text, mended, text.includes('\t') ? '\t' : ';')).toBe(expected)
})
