/* The SDK streams 100,000 members of the service: memory over the idle client, CPU. `node bench/sdk-stream.ts [MEMBERS]` (Linux) */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runBench } from './bench.ts'
import { printTable, verdict } from './figures.ts'
import { makePartner } from './partner.ts'
import { entitle, makeBook } from './population.ts'
import { connected } from './rows.ts'

const members = Number(process.argv[2] ?? 100_000)
const program = fileURLToPath(new URL('../test/sdk/stream-members.ts', import.meta.url))
const mebibyte = 1_048_576

await runBench(10, async (bench) => {
  const databaseUrl = await bench.database('sdk')
  const service = await bench.service(databaseUrl)
  const { clientId, headers } = await makePartner(service.url, 0)
  const client = await connected(databaseUrl)
  await makeBook(client, { companies: 10, members, membersOfRequest: 10 })
  await entitle(client, clientId, 1, 10)
  await client.query('vacuum (analyze) entitlement')
  await client.end()
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', program], {
    env: { VIGENCIA_URL: service.url, VIGENCIA_TOKEN: headers.authorization.slice('Bearer '.length) },
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  const figures = JSON.parse(stdout) as Record<'members' | 'benefits' | 'overIdle' | 'cpuSeconds', number>
  const rise = figures.overIdle / mebibyte
  printTable('The SDK streams the members of the service', [
    ['members', 'benefits', 'CPU of the client', 'memory over idle'],
    [
      String(figures.members),
      String(figures.benefits),
      `${figures.cpuSeconds.toFixed(1)} s`,
      `${rise.toFixed(1)} MiB: ${verdict(rise, 'at most', 64, ' MiB')}`,
    ],
  ])
  if (figures.members !== members) throw new Error(`${figures.members} members instead of ${members}`)
})
