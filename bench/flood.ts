/*
 * A client that sends as fast as it can, in a process of its own, so that it takes nothing from who measures.
 * `node bench/flood.ts URL PATH IN_FLIGHT` with the headers as JSON in FLOOD_HEADERS; runs until it is stopped, then prints
 * `{ answers, refused }`.
 */
import { drive, getRequest } from './load.ts'

const [url = '', path = '', inFlight = '32'] = process.argv.slice(2)
const headers = JSON.parse(process.env['FLOOD_HEADERS'] ?? '{}') as Record<string, string>
const stopped = new Promise((resolve) => process.once('SIGTERM', resolve))
console.log('flooding')
const { latencies, refused } = await drive(url, [getRequest(url, path, headers)], {
  inFlight: Number(inFlight),
  milliseconds: 60_000,
  until: stopped,
  takes429: true,
})
console.log(JSON.stringify({ responses: latencies.length, refused }))
