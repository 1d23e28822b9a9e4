import { buildProgram, runProgram } from './cli/program.ts'
import { openCommandContext } from './cli/context.ts'

const world = openCommandContext(process.env)
const program = buildProgram(world)

// Who piped the output elsewhere may have stopped reading; that is no reason to stop serving.
process.stdout.on('error', () => {})

process.exitCode = await runProgram(program, world, process.argv.slice(2))
