import { runProgram } from './cli/program.ts'

// The reader of a pipe may have stopped reading; that is no reason to stop serving.
process.stdout.on('error', () => {})

process.exitCode = await runProgram(process.argv.slice(2))
