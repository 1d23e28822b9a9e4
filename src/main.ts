import { buildProgram, runProgram } from './cli/program.ts'
import { openCommandContext } from './cli/context.ts'

const context = openCommandContext(process.env)
const program = buildProgram(context)

// Who piped the output elsewhere may have stopped reading; that is no reason to stop serving.
process.stdout.on('error', () => {})

process.exitCode = await runProgram(program, context, process.argv.slice(2))
