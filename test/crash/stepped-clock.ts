/*
 * Loaded before the service (`node --import`): its clock differs from that of the machine by the hours in the file `TEST_CLOCK_FILE`, which
 * is read at the start and at SIGUSR2.
 */
import { readFileSync } from 'node:fs'

const RealDate = Date
const file = process.env['TEST_CLOCK_FILE'] ?? ''
let offsetMs = 0

function readOffset(): void {
  const hours = Number(readFileSync(file, 'utf8'))
  offsetMs = hours * 3_600_000
  console.log(`clock ${hours}`)
}

class SteppedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [SteppedDate.now()] : given) as [number]))
  }

  static override now(): number {
    return RealDate.now() + offsetMs
  }
}

readOffset()
process.on('SIGUSR2', readOffset)
globalThis.Date = SteppedDate as DateConstructor
