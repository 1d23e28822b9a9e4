/*
 * Streams the members of the service at VIGENCIA_URL, with VIGENCIA_TOKEN, and prints, as JSON, their number and the bytes of memory (RSS)
 * over those of the idle client, at their highest. A process of its own: the memory of others does not count.
 */
import { Vigencia } from '@vigencia/client'

const { VIGENCIA_URL: url = '', VIGENCIA_TOKEN: token = '' } = process.env
const vigencia = new Vigencia({ url, token })
// Idle: the modules are loaded, a connection is there.
await vigencia.products.list()
globalThis.gc?.()
const idle = process.memoryUsage.rss()
let highest = idle
let members = 0
let benefits = 0
for await (const member of vigencia.members.stream()) {
  members += 1
  benefits += member.benefits.length
  if (members % 500 === 0) highest = Math.max(highest, process.memoryUsage.rss())
}
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ members, benefits, idle, overIdle: highest - idle, cpuSeconds: (user + system) / 1e6 }))
