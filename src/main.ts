import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Half of the time of a short command is compiling. The cache is in a folder of this user: its content is run as code.
if (process.env['NODE_COMPILE_CACHE'] === undefined) {
  const { XDG_CACHE_HOME, HOME } = process.env
  const base = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(HOME || homedir(), '.cache')
  // Threads read the variable.
  process.env['NODE_COMPILE_CACHE'] = join(base, 'vigencia')
  enableCompileCache()
}

// The reader of a pipe may have stopped reading; that is no reason to stop serving.
process.stdout.on('error', () => {})

const { runProgram } = await import('#apps/cli/program.ts')
const { serviceCommands } = await import('#apps/cli/service-commands.ts')
process.exitCode = await runProgram(process.argv.slice(2), serviceCommands)
