import { expect, test } from 'vitest'
import { foldName, foldText, sameName } from '#kernel/name.ts'
import { useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()

const names = [
  'D’Ávila',
  "D'AVILA",
  'D AVILA',
  'Davila',
  'd`ávila',
  'Łukasz Żółć',
  'LUKASZ ZOLC',
  'Đorđe Søren Ħall Ŧo',
  'Straße Œuvre Æther Þór',
  'Ana-Maria  de\u00a0Souza',
  'ANA MARIA DE SOUZA',
  'Ana\u2011Maria de Souza',
  'Sant’Anna dos Santos Jr.',
  'SANTANNA DOS SANTOS JR',
  'Conceic\u0327a\u0303o',
  'Conceição',
  'Zero\u200bWidth',
  'line\nfeed',
  'İstanbul ısı',
  '',
  '- . ,',
]

test('texts and names are folded by the database as by the program', async () => {
  const rows = await testApp.sql<{ folded: string; name: string }>(
    `select fold(value) as folded, fold_name(value) as name from unnest($1::text[]) with ordinality sent(value, place) order by place`,
    [names],
  )
  expect(rows).toEqual(names.map((name) => ({ folded: foldText(name), name: foldName(name) })))
})

const long = 'Maria Aparecida dos Santos Oliveira Cavalcanti de Albuquerque'
const pairs: readonly (readonly [string, string, boolean])[] = [
  ['D’Ávila', 'D AVILA', true],
  ['Davila', "d'ávila", true],
  ['Łukasz', 'LUKASZ', true],
  ['Ana Maria', 'Ana-Maria', true],
  ['De La Cruz', 'DELACRUZ', true],
  ['Ana', 'Bia', false],
  ['Ana', 'Ana Souza', false],
  ['Ana', '', false],
  ['', '', false],
  ['- .', '.', false],
  [long, long.slice(0, 30), true],
  [long, long.slice(0, 35).toUpperCase(), true],
  [long, long.slice(0, 29), false],
  // The cut is before a blank.
  ['Maria Aparecida dos Santos Ana Beatriz', 'Maria Aparecida dos Santos Ana', true],
  ['Maria Aparecida dos Santos An Beatriz', 'Maria Aparecida dos Santos An', true],
  [long, `${long.slice(0, 30)} Outra`, false],
]

test('a name that is cut after 30 characters or more is the same, in the database as in the program', async () => {
  const rows = await testApp.sql<{ same: boolean }>(
    `select same_name(fold_name(one), fold_name(left(one, 30)), fold_name(other), fold_name(left(other, 30))) as same
     from unnest($1::text[], $2::text[]) with ordinality sent(one, other, place) order by place`,
    [pairs.map(([one]) => one), pairs.map(([, other]) => other)],
  )
  expect(rows.map(({ same }) => same)).toEqual(pairs.map(([, , same]) => same))
  for (const [one, other, same] of pairs) {
    expect([one, other, sameName(one, other), sameName(other, one)]).toEqual([one, other, same, same])
  }
})
