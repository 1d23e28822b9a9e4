import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, openStub, type Stub } from './stub.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('stream-members.ts', import.meta.url))
const count = 100_000

let stub: Stub

beforeAll(async () => {
  stub = await openStub()
})

afterAll(() => stub.close())

const member = {
  id: '5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11',
  profile: {
    name: 'Helena Brandão Souza',
    'mothers-name': 'Fátima Brandão',
    'date-of-birth': '1990-05-17',
    gender: 'female',
    'marital-status': 'married',
    'tax-id': '52998224725',
  },
  benefits: [
    {
      'benefit-id': '01995e0c-7020-7d3f-9b11-5a6c7d8e9f01',
      status: 'active',
      'company-tax-id': '12ABC34501DE35',
      'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
      'product-name': 'Saúde Essencial',
      'product-type': 'health-insurance',
      'carrier-name': 'Operadora Aurora',
      type: 'primary',
      'start-date': '2026-12-01',
      'end-date': null,
      'extension-plan': false,
      'card-number': '0045 1120 7788',
      'dependent-type': null,
      'primary-member-tax-id': null,
    },
  ],
}

test('100,000 members are streamed with less than 64 MiB of memory over idle', async () => {
  const chunk = Array(100).fill(JSON.stringify(member)).join(',')
  stub.replies.push(json(200, { result: [] }), (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = async () => {
      response.write(`{"result":[${chunk}`)
      for (let sent = 100; sent < count; sent += 100) if (!response.write(`,${chunk}`)) await once(response, 'drain')
      response.end(']}')
    }
    void write()
  })
  const { stdout } = await run(process.execPath, ['--expose-gc', program], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      VIGENCIA_URL: stub.url,
      VIGENCIA_TOKEN: 'token',
    },
  })
  const { members, benefits, overIdle } = JSON.parse(stdout) as Record<string, number>
  console.log(`SDK: ${stdout.trim()}`)
  expect({ members, benefits }).toEqual({ members: count, benefits: count })
  expect(overIdle).toBeLessThan(64 * 1_048_576)
})
