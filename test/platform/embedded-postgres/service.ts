// A process that the tests kill: starts the engine on the folder of its argument, reports the result in
// lines of JSON, and stops when its input ends.
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'

const report = (message: object): boolean => process.stdout.write(`${JSON.stringify(message)}\n`)

try {
  const engine = await startEmbedded({ dataDir: process.argv[2] ?? '' })
  report({ url: engine.url, pid: engine.pid })
  process.stdin.resume().once('end', () => void engine.stop().then(() => process.exit(0)))
} catch (error) {
  report(error instanceof Error ? { error: error.name, message: error.message } : { error: String(error) })
  process.exitCode = 1
}
