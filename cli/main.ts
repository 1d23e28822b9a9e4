/* The command of the package that installs alone: the commands that call a service. */
import { runProgram } from '../src/apps/cli/program.ts'

// The reader of a pipe may have stopped reading.
process.stdout.on('error', () => {})
process.exitCode = await runProgram(process.argv.slice(2), { commands: [], ofAudit: [] })
