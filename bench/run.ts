/* All measurements, one after the other: each has the machine for itself. `npm run bench` */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

let failed = 0
for (const name of [
  'start',
  'reads',
  'inclusion',
  'limits',
  'webhooks',
  'fan-out',
  'members',
  'sdk-stream',
  'invoices',
  'zip',
  'at-size',
]) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))], {
    stdio: 'inherit',
  })
  if (status !== 0) failed += 1
}
process.exitCode = failed
