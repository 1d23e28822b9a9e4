import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxDecisionBytes } from '#movements/decide/sent-lines.ts'
import type { Context } from '#platform/http/context.ts'
import { WorkSlots } from '#platform/core/work-slots.ts'
import { readAnswerFiles } from '#exchange/shipments/answer-files.ts'
import { type SftpTestServer, startSftpServer } from '../channels/sftp-server.ts'
import { families, useIdleTestApp } from '../../crash/idle-fixture.ts'
import {
  act,
  enroll,
  itemsOf,
  moved,
  openShipmentOf,
  openShipper,
  type Shipper,
  shipmentPath,
} from '../../world/shipment.ts'
import { expectOk, type Json, primary, until } from '../../world/test-app.ts'

/* The files that carriers put into the `in-folder` of a contract. */

const idle = useIdleTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
const { ask } = idle
let server: SftpTestServer
beforeAll(async () => {
  server = await startSftpServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  server.files.clear()
  server.listed.clear()
  server.reads.length = 0
  // The contracts of other tests share the folder.
  await ask(`update contract_channel set settings = settings - 'sftp'`)
})

let contracts = 0
async function openContract(): Promise<Shipper> {
  contracts += 1
  const shipper = await openShipper(idle.testApp, { channel: 'sftp', 'contract-number': `RV${contracts}00` })
  const { port, hostKey } = server
  const account = { host: '127.0.0.1', port, user: 'serra-azul', 'host-key': hostKey, password: 'senha' }
  const settings = { sftp: { ...account, 'out-folder': '/out', 'in-folder': '/in' } }
  expectOk(await idle.testApp.operator.put(`/operator/v1/contract/${shipper.contractId}/channel`, settings))
  return shipper
}

/** A sent shipment of a contract. @returns its id and the name of its file without an extension. */
async function send(shipper: Shipper, members = [primary()]): Promise<{ readonly id: string; readonly stem: string }> {
  return idle.withWorker(async () => {
    await enroll(idle.testApp, shipper, members)
    const id = await openShipmentOf(idle.testApp, shipper.contractId)
    expectOk(await act(idle.testApp, id, 'close'))
    expectOk(await act(idle.testApp, id, 'send'))
    const { number } = await moved(idle.testApp, id)
    return { id, stem: `RV${contracts}00-${number}` }
  })
}

/** An answer that accepts all items of a shipment. */
async function answerOf(id: string): Promise<Buffer> {
  const lines = (await itemsOf(idle.testApp, id)).map((item) => {
    return JSON.stringify({ 'enrollment-id': item['enrollment-id'], outcome: 'accepted' })
  })
  return Buffer.from(lines.join('\n'))
}

/** Looks into the folders that are due, until all are read. */
async function readAll(context: Context): Promise<void> {
  const slots = new WorkSlots(16)
  await readAnswerFiles(context, new AbortController().signal, slots)
  await slots.ended()
}

/** The workers look into the folder. */
async function poll(): Promise<void> {
  await ask('update contract_channel set polled_at = null')
  await readAll(idle.context)
}

const names = () => [...server.files.keys()].toSorted()
const jobsOf = (id: string) => ask<{ lines: number }>('select lines from decision_job where shipment_id = $1', [id])
const errorsOf = async (id: string): Promise<Json[]> =>
  expectOk(await idle.testApp.operator.get(`${shipmentPath}/${id}/delivery`)).body.result.map(
    ({ error }: Json) => error,
  )

describe('a file over the limit', () => {
  test('is refused without being read, is listed with the deliveries of its shipment, and is not tried again', async () => {
    const { id, stem } = await send(await openContract())
    const path = `/in/${stem}-retorno.csv`
    server.files.set(path, Buffer.alloc(maxDecisionBytes + 1, 'x'))
    await poll()
    expect([server.reads, names()]).toEqual([[], [`/in/failed/${stem}-retorno.csv`]])
    expect(await errorsOf(id)).toEqual(['answer-body-too-large'])
    // It could not be moved, and is there again.
    server.files.set(path, Buffer.alloc(maxDecisionBytes + 1, 'x'))
    await poll()
    expect([server.reads, await errorsOf(id)]).toEqual([[], ['answer-body-too-large']])
  })

  test('is not read further than the server lists it', async () => {
    const { id, stem } = await send(await openContract())
    const path = `/in/${stem}-retorno.csv`
    server.files.set(path, Buffer.alloc(2 * maxDecisionBytes, 'x'))
    server.listed.set(path, { size: 100 })
    await poll()
    expect([server.reads, names(), await errorsOf(id)]).toEqual([[path], [path], []])
    server.listed.delete(path)
    await poll()
    expect([server.reads, await errorsOf(id)]).toEqual([[path], ['answer-body-too-large']])
  })
})

test('a size and a time of 64 bits are no number of the database: the file is refused, once', async () => {
  const { id, stem } = await send(await openContract())
  const path = `/in/${stem}-retorno.csv`
  server.files.set(path, Buffer.from('x'))
  server.listed.set(path, { size: 2 ** 63, mtime: 2 ** 31 })
  await poll()
  await poll()
  expect([server.reads, await errorsOf(id)]).toEqual([[], ['answer-body-too-large']])
})

test('a server that hangs delays nobody: the folders of others are read meanwhile', async () => {
  const slow = await startSftpServer()
  const hanging = Promise.withResolvers<void>()
  let isListed = false
  slow.onList = () => {
    isListed = true
    return hanging.promise
  }
  const slots = new WorkSlots(2)
  try {
    const { id, stem } = await send(await openContract())
    const first = server
    server = slow
    await send(await openContract())
    server = first
    server.files.set(`/in/${stem}-retorno.ndjson`, await answerOf(id))
    await ask('update contract_channel set polled_at = null')
    await readAnswerFiles(idle.context, new AbortController().signal, slots)
    await until(
      async () => [isListed, names()] as const,
      ([hangs, [name]]) => hangs && name === `/in/processed/${stem}-retorno.ndjson`,
    )
    expect(await jobsOf(id)).toHaveLength(1)
  } finally {
    hanging.resolve()
    await slots.ended()
    await slow.close()
  }
})

test('names that leave the folder, links and hidden files are left alone, and the files beside them are read', async () => {
  const { id, stem } = await send(await openContract())
  const hostile = [
    { name: '../../etc/passwd' },
    { name: '..' },
    { name: '.' },
    { name: `..\\${stem}.csv` },
    { name: `${stem}\u0000.csv` },
    { name: `${stem}\n-rw-r--r-- x.csv` },
    { name: `${stem}\u007f.csv` },
    { name: `${stem}\ufffd.csv` },
    { name: `${stem}-${'x'.repeat(255 - stem.length - 5)}.csv` },
    { name: `.${stem}.csv` },
    { name: `${stem}-link.csv`, type: 'l' },
    { name: `${stem}-folder.csv`, type: 'd' },
    { name: `${stem}.ndjson.part` },
    { name: `${stem}.ndjson.filepart` },
  ]
  for (const [index, one] of hostile.entries()) {
    server.files.set(`/in/hostile-${index}`, Buffer.from('x'))
    server.listed.set(`/in/hostile-${index}`, one)
  }
  server.files.set(`/in/${stem}-retorno.ndjson`, await answerOf(id))
  server.listed.set(`/in/${stem}-retorno.ndjson`, { mtime: undefined })
  await poll()
  expect(names().filter((path) => !path.startsWith('/in/hostile-'))).toEqual([`/in/processed/${stem}-retorno.ndjson`])
  expect(names()).toHaveLength(hostile.length + 1)
  expect(new Set(server.reads)).toEqual(new Set([`/in/${stem}-retorno.ndjson`]))
  expect([await errorsOf(id), await jobsOf(id)]).toEqual([[], [{ lines: 1 }]])
})

test('a file that cannot be read does not hold up those after it', async () => {
  const { id, stem } = await send(await openContract())
  server.files.set(`/in/${stem}-a.ndjson`, Buffer.from('x'))
  // Over the limit; that it is cannot be stored.
  server.listed.set(`/in/${stem}-a.ndjson`, { size: Number.MAX_SAFE_INTEGER })
  server.files.set(`/in/${stem}-b.ndjson`, await answerOf(id))
  await ask(
    `create function refuse_failures() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  )
  await ask(`create trigger refuse_failures before insert on shipment_answer_file for each row when (new.error is not null)
    execute function refuse_failures()`)
  try {
    await poll()
  } finally {
    await ask('drop function refuse_failures cascade')
  }
  expect(names()).toEqual([`/in/${stem}-a.ndjson`, `/in/processed/${stem}-b.ndjson`])
})

test('what failed in a folder that is not read any more is a failed step for an hour', async () => {
  const { id, stem } = await send(await openContract())
  const path = `/in/${stem}.ndjson`
  server.files.set(path, await answerOf(id))
  // Other tests left work for their files.
  await ask(`delete from work where kind = 'answer-file'`)
  await ask(`alter table shipment_answer_file add constraint broken check (name <> '${stem}.ndjson')`)
  await poll()
  await ask('alter table shipment_answer_file drop constraint broken')
  const failed = async (): Promise<string[]> =>
    expectOk(await idle.testApp.operator.get('/operator/v1/failed-step')).body.result.map(({ kind }: Json) => kind)
  expect(await failed()).toEqual(['answer-file'])
  expectOk(await act(idle.testApp, id, 'finish'))
  await poll()
  expect(await failed()).toEqual(['answer-file'])
  await ask(`update work set run_at = now() - interval '2 hours' where kind = 'answer-file'`)
  await poll()
  expect(await failed()).toEqual([])
  server.files.clear()
})

test('two processes that read a folder at once take each file once', async () => {
  const { id, stem } = await send(await openContract(), families(2))
  server.files.set(`/in/${stem}-retorno.ndjson`, await answerOf(id))
  const another = await idle.anotherContext()
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  server.onRead = () => {
    begun.resolve()
    return goOn.promise
  }
  const first = poll()
  await begun.promise
  // As when the first one takes longer than the time between two looks.
  server.onRead = () => {}
  await ask('update contract_channel set polled_at = null')
  await readAll(another)
  goOn.resolve()
  await first
  expect(await jobsOf(id)).toEqual([{ lines: 4 }])
  expect([names(), await errorsOf(id)]).toEqual([[`/in/processed/${stem}-retorno.ndjson`], []])
  // One of them claims the folder.
  server.files.set(`/in/${stem}-outro.ndjson`, await answerOf(id))
  const before = server.sessions
  await ask('update contract_channel set polled_at = null')
  await Promise.all([readAll(idle.context), readAll(another)])
  expect([server.sessions - before, (await jobsOf(id)).length]).toEqual([1, 2])
})

describe('with several shipments that wait for an answer', () => {
  test('a file answers the shipment whose file has a name that its own begins with', async () => {
    const shipper = await openContract()
    const first = await send(shipper)
    const second = await send(shipper)
    const other = await openContract()
    const elsewhere = await send(other)
    server.files.set(`/in/${second.stem.toLowerCase()}_RET.ndjson`, await answerOf(second.id))
    server.files.set(`/in/${elsewhere.stem}.ndjson`, await answerOf(elsewhere.id))
    server.files.set(`/in/${first.stem}-0a1b2c3d4e5f-retorno.ndjson`, await answerOf(first.id))
    await poll()
    for (const { id } of [first, second, elsewhere]) {
      expect([await jobsOf(id), await errorsOf(id)]).toEqual([[{ lines: 1 }], []])
    }
    expect(names().filter((path) => !path.startsWith('/in/processed/'))).toEqual([])
  })

  test('a file without such a name is refused, and listed with the latest of them', async () => {
    const shipper = await openContract()
    const first = await send(shipper)
    const second = await send(shipper)
    server.files.set('/in/retorno.ndjson', await answerOf(first.id))
    // The name of no shipment, but it begins with that of the first.
    server.files.set(`/in/${first.stem}0.ndjson`, await answerOf(first.id))
    await poll()
    expect(names()).toEqual([`/in/failed/${first.stem}0.ndjson`, '/in/failed/retorno.ndjson'])
    expect(await errorsOf(first.id)).toEqual([])
    expect(await errorsOf(second.id)).toEqual(['answer-shipment-unknown', 'answer-shipment-unknown'])
    expect([await jobsOf(first.id), await jobsOf(second.id), server.reads]).toEqual([[], [], []])
  })

  test('the only one of them gets a file of any name, but not that of another shipment', async () => {
    const shipper = await openContract()
    const first = await send(shipper)
    const answer = await answerOf(first.id)
    server.files.set('/in/retorno.ndjson', answer)
    await poll()
    await idle.withWorker(() => idle.nothingOpen())
    const second = await send(shipper)
    server.files.set(`/in/${first.stem}-retorno.ndjson`, answer)
    await poll()
    expect([(await jobsOf(first.id)).length, await jobsOf(second.id)]).toEqual([2, []])
  })
})

describe('a file that is still being written', () => {
  test('is read once it has not changed for a minute', async () => {
    const { id, stem } = await send(await openContract())
    const path = `/in/${stem}-retorno.ndjson`
    server.files.set(path, await answerOf(id))
    const now = Math.floor(idle.context.database.now().getTime() / 1_000)
    server.listed.set(path, { mtime: now })
    await poll()
    expect([names(), server.reads]).toEqual([[path], []])
    server.listed.set(path, { mtime: now - 61 })
    await poll()
    expect([names(), await jobsOf(id)]).toEqual([[`/in/processed/${stem}-retorno.ndjson`], [{ lines: 1 }]])
  })

  test('is not used when it has another size than it was listed with', async () => {
    const { id, stem } = await send(await openContract())
    const path = `/in/${stem}-retorno.ndjson`
    const answer = await answerOf(id)
    server.files.set(path, answer)
    server.listed.set(path, { size: answer.length - 10 })
    await poll()
    expect([names(), await jobsOf(id), await errorsOf(id)]).toEqual([[path], [], []])
    server.listed.delete(path)
    await poll()
    expect([names(), await jobsOf(id)]).toEqual([[`/in/processed/${stem}-retorno.ndjson`], [{ lines: 1 }]])
  })
})
