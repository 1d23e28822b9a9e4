/*
 * What large bodies do to the memory of the process, while they come and a minute later: `node bench/body-memory.ts [SECONDS OF REST]`
 * (Linux). Each row is a service of its own.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { printTable } from './figures.ts'
import { makePartner, payroll, type Partner } from './partner.ts'
import { runBench, type Program } from './bench.ts'

const restSeconds = Number(process.argv[2] ?? 60)
const path = '/v1/enrollment/inclusion?dry-run=true'
const bodyBytes = 16 * 1024 * 1024
const statuses = new Map<number, number>()

async function post(url: string, partner: Partner, body: string): Promise<void> {
  const headers = { ...partner.headers, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  await response.arrayBuffer()
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
}

/** Dry runs of 10,000 members, two at a time. */
async function dryRuns({ url }: Program, partner: Partner, count = 60): Promise<void> {
  const body = payroll(partner.companyTaxIds[0] ?? '', 10_000)
  let left = count
  const sender = async () => {
    while (left-- > 0) await post(url, partner, body)
  }
  await Promise.all([sender(), sender()])
}

/** A payroll of a company, with blanks up to 16 MiB. */
const largest = (partner: Partner) => payroll(partner.companyTaxIds[0] ?? '', 10_000).padEnd(bodyBytes - 100_000, ' ')

async function largestBodies({ url }: Program, partner: Partner, count = 100): Promise<void> {
  const body = largest(partner)
  await Promise.all(Array.from({ length: count }, () => post(url, partner, body)))
}

/** Bodies of 16 MiB of which the last byte never comes, held for 20 seconds. */
async function halfSent({ url }: Program, partner: Partner, count = 100): Promise<void> {
  const { hostname, port } = new URL(url)
  const head =
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${partner.headers.authorization}\r\n` +
    `content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n\r\n`
  const bytes = Buffer.alloc(bodyBytes - 1, 0x20)
  const sockets: Socket[] = []
  for (let n = 0; n < count; n += 1) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).resume()
    socket.write(head)
    socket.write(bytes)
    sockets.push(socket)
  }
  await pause(20_000)
  for (const socket of sockets) socket.destroy()
}

async function mixed(service: Program, partner: Partner): Promise<void> {
  await Promise.all([
    dryRuns(service, partner, 30),
    halfSent(service, partner, 20),
    largestBodies(service, partner, 20),
  ])
}

const rows: string[][] = []
await runBench(15, async (bench) => {
  for (const [name, load] of Object.entries({ dryRuns, largestBodies, halfSent, mixed })) {
    const service = await bench.service(await bench.database(name.toLowerCase()))
    const partner = await makePartner(service.url, 1)
    statuses.clear()
    const before = service.settleMemory()
    await load(service, partner)
    const peak = service.peakMemory()
    const after = service.settleMemory()
    await pause(restSeconds * 1_000)
    const rested = service.settleMemory()
    const responses = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
    rows.push([name, ...[before, peak, after, rested].map((mib) => `${mib.toFixed(0)} MiB`), responses])
    await service.stop()
  }
})
printTable('Resident memory of the process', [
  ['Load', 'Before', 'Peak', 'After', `${restSeconds} s later`, 'Responses'],
  ...rows,
])
