import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MAX_VIEWS, VIEW_FILTERS } from '#movements/rules/view.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
const url = '/operator/v1/view'
const body = (name: string, filters: Json = {}) => ({ area: 'queue', name, filters })
const newPath = () => `${url}/${randomUUID()}`
const list = async () => expectOk(await testApp.operator.get(`${url}?area=queue`)).body.result as Json[]

test('a view is created, renamed, replaced and deleted, for every operator', async () => {
  const analyst = await testApp.operatorOf('analyst')
  const path = newPath()
  const filters = { status: 'created', 'carrier-name': 'Operadora Aurora', due: 'overdue' }
  const created = expectOk(await analyst.put(path, body(' Aurora, atrasadas ', filters))).body.result
  expect(created).toEqual({
    'view-id': path.slice(url.length + 1),
    ...body('Aurora, atrasadas', filters),
    'created-by': analyst.clientId,
    'created-at': expect.any(String),
    'last-updated-at': created['created-at'],
  })
  const renamed = expectOk(await testApp.operator.put(path, body('Atrasadas', { due: 'overdue' }))).body.result
  expect(renamed).toMatchObject({ ...body('Atrasadas', { due: 'overdue' }), 'created-by': analyst.clientId })
  expect(renamed['created-at']).toBe(created['created-at'])
  expect(await list()).toEqual([renamed])
  expect((await analyst.delete(path)).status).toBe(204)
  expect(await list()).toEqual([])
  expect(await analyst.delete(path)).toMatchObject({ status: 404, body: { code: 'view-not-found' } })
})

test('a view has no search text and no person', async () => {
  for (const name of ['q', 'member-id', 'member-tax-id']) {
    const refused = await testApp.operator.put(newPath(), body('Busca', { [name]: '52998224725' }))
    expect(refused.status).toBe(400)
    expect(refused.body.details).toEqual([{ field: 'filters', code: 'unknown', allowed: [...VIEW_FILTERS.queue] }])
  }
})

test('two views of an area have different names, also when they come at once', async () => {
  const answers = await Promise.all(
    ['Prazo próximo', 'PRAZO PROXIMO'].map((name) => testApp.operator.put(newPath(), body(name))),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(answers.find(({ status }) => status === 400)?.body.details).toEqual([
    expect.objectContaining({ field: 'name', code: 'already-in-use' }),
  ])
})

test('an area has so many views at most', async () => {
  for (let count = (await list()).length; count < MAX_VIEWS; count += 1) {
    expectOk(await testApp.operator.put(newPath(), body(`Visão ${count}`)))
  }
  const refused = await testApp.operator.put(newPath(), body('Mais uma'))
  expect(refused.body.details).toEqual([expect.objectContaining({ field: 'area', code: 'too-many' })])
  const [first] = await list()
  expectOk(await testApp.operator.put(`${url}/${String(first['view-id'])}`, body('Ainda muda')))
})
